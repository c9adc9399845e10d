//! The search for a slice as an ask/tell search.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::charges::Charges;
use super::config::{SliceMethod, SlicerConfig};
use super::definer::{Definer, Guide};
use super::dependencies::Dependencies;
use super::facts::Signals;
use super::growth::{Growth, Related};
use super::hints::Hints;
use super::message::{self, Said};
use super::proof::{Known, Proof, Shown};
use super::reduction::{Plan, Reduction};
use super::report::SlicerReport;
use super::significance::Significance;
use super::unresolved::UnresolvedSets;
use crate::error::Error;
use crate::reduction::{FULL, Guarantee, TestedSets, Verdict};
use crate::search::{
    Algorithm, AskTell, ChangeSet, Items, Key, Ledger, Observation, Reading, Status, TargetObservation,
};

/// A search for the smallest slice of a history that keeps a behavior.
///
/// ```
/// use firstbad::{Outcome, Search, Slicer, SlicerConfig};
///
/// let mut search = Slicer::new(8usize, SlicerConfig::default())?;
/// while !search.is_done() {
///     for probe in search.ask(1)? {
///         let passes = probe.changes().is_some_and(|kept| [2, 4, 6].iter().all(|&change| kept.contains(change)));
///         search.tell(probe.id, if passes { Outcome::Pass } else { Outcome::Fail }.into())?;
///     }
/// }
/// assert_eq!(search.report().kept, [2, 4, 6]);
/// # Ok::<(), firstbad::Error>(())
/// ```
pub type Slicer = AskTell<Slice>;

/// A search for the smallest slice of a history that keeps a behavior.
#[derive(Debug)]
pub struct Slice {
    pub(super) config: SlicerConfig,
    pub(super) tested: TestedSets,
    dependencies: Dependencies,
    charges: Charges,
    significance: Significance,
    hints: Hints,
    /// The keys of the sets with an outcome, in the order told.
    keys: Vec<Key>,
    pub(super) unresolved: UnresolvedSets,
    /// The start with its predicted dependencies, or `None` without a start.
    start: Option<FixedBitSet>,
    /// The changes that every set contains, and what they are predicted to need.
    always: FixedBitSet,
    related: Related,
    /// The changes that the reduction does not remove: at first, the largest set that was too small.
    fixed: FixedBitSet,
    stage: Stage,
    /// The changes that a larger slice was shown to need.
    needed_before: FixedBitSet,
    /// The changes removed from the last such slice, ascending.
    gone: Vec<usize>,
    /// The number of searches for a smaller slice.
    searches: usize,
    pub(super) warnings: Vec<String>,
}

#[derive(Debug)]
enum Stage {
    /// Tests whether all changes together have the behavior.
    Full,
    /// All changes together lack the behavior.
    Refuted(Verdict),
    /// Tests whether the base has the behavior.
    Base,
    /// Tests whether the start has the behavior.
    Start,
    /// Looks for a first set that has the behavior, from the changes that every set contains.
    Growing(Growth),
    /// Tests the first reduced set without the changes that the reduction did not remove and that are not related.
    Trimming(FixedBitSet),
    Searching(Engine),
    Proving(Proof),
    Done(Guarantee, Vec<Shown>),
}

#[derive(Debug)]
enum Engine {
    Reduction(Box<Reduction>),
    Definer(Box<Definer>),
}

/// The number of times to retry larger steps after the proof removed a change. After that, changes are removed one by one,
/// so `n` changes take at most about n * n tests, regardless of their outcomes.
const SEARCHES: usize = 3;

impl Slice {
    fn guide(&self) -> Guide<'_> {
        Guide { tested: &self.tested, dependencies: &self.dependencies, scores: &self.significance.scores }
    }

    /// Creates a reduction of the remaining changes from everything known.
    fn reduction(&self) -> Option<Reduction> {
        let method = self.config.algorithm.reduction()?;
        // At first, assume that every superset of a set that holds also holds. The proof tests this assumption.
        let monotonic = self.config.algorithm == SliceMethod::Auto && self.searches <= 1;
        // A lost hint says little about the sets that the reduction tests, so it must not distort the reduction.
        let counts = |key: &&Key| !self.hints.is_lost(&self.tested.bits(**key));
        let keys: Vec<Key> = self.keys.iter().filter(counts).copied().collect();
        let plan = Plan { method, monotonic, fixed: &self.fixed };
        Some(Reduction::new(plan, &self.tested, &keys, &self.dependencies))
    }

    fn search(&mut self) {
        self.searches += 1;
        self.stage = match self.reduction() {
            _ if self.searches > SEARCHES => Stage::Proving(self.proof()),
            Some(reduction) => Stage::Searching(Engine::Reduction(Box::new(reduction))),
            None if self.config.algorithm == SliceMethod::Coverage => Stage::Done(Guarantee::BestSoFar, Vec::new()),
            None => {
                let definer = Definer::new(self.config.scheme, self.config.seed, self.guide());
                Stage::Searching(Engine::Definer(Box::new(definer)))
            }
        };
    }

    /// Ends a search that found nothing smaller.
    fn conclude(&mut self) {
        if self.fixed != self.always {
            let mut kept = self.tested.best.clone();
            kept.difference_with(&self.fixed);
            kept.union_with(&self.related.edits);
            self.dependencies.complete(&mut kept);
            kept.intersect_with(&self.tested.best);
            self.fixed.clone_from(&self.always);
            self.searches -= 1;
            self.stage = Stage::Trimming(kept);
            return;
        }
        self.stage = match self.config.guarantee {
            Guarantee::OneMinimal => Stage::Proving(self.proof()),
            _ => Stage::Done(Guarantee::Fixpoint, Vec::new()),
        };
    }

    /// Returns whether any set was observed to have the behavior.
    fn has_held(&self) -> bool {
        self.keys.iter().any(|&key| self.tested.verdicts.of(key) == Some(Verdict::Holds))
    }

    fn known(&self) -> Known<'_> {
        Known { tested: &self.tested, dependencies: &self.dependencies, unresolved: &self.unresolved }
    }

    fn proof(&self) -> Proof {
        Proof::new(&self.tested.best, &self.always, &self.needed_before, &self.gone)
    }

    fn first_stage(always: &FixedBitSet) -> Stage {
        if always.is_clear() { Stage::Full } else { Stage::Growing(Growth::new(always)) }
    }

    /// Continues with the next set that may hold, after one that does not. Changes that cannot be applied are left out.
    fn grow(&mut self, verdict: Verdict) {
        let Stage::Growing(growth) = &mut self.stage else { return };
        let key = self.tested.items.find(&ChangeSet::of_words(growth.set.as_slice()));
        let conflict = key.and_then(|key| self.unresolved.conflict(key));
        if conflict.is_some_and(|change| growth.leave_out(change, &self.always, &self.dependencies)) {
            return;
        }
        // Smaller sets that did not hold stay fixed in the first reduction.
        if conflict.is_none() {
            self.fixed.clone_from(&growth.set);
        }
        match growth.next(&self.related, &self.dependencies) {
            Some(next) => *growth = next,
            None => self.stage = Stage::Refuted(verdict),
        }
    }

    /// Returns the sets that growing still tests, if no more conflicts are found.
    fn growths<'a>(&'a self, growth: &Growth) -> impl Iterator<Item = FixedBitSet> + use<'a> {
        let next = |growth: &Growth| growth.next(&self.related, &self.dependencies);
        std::iter::successors(Some(growth.clone()), next).map(|growth| growth.set)
    }

    /// The verdict of the set that a stage waits for.
    fn awaited(&self) -> Option<Verdict> {
        let set = match &self.stage {
            Stage::Full => self.tested.all(),
            Stage::Base => FixedBitSet::with_capacity(self.tested.count()),
            Stage::Start => self.start.clone()?,
            Stage::Growing(growth) => growth.set.clone(),
            Stage::Trimming(set) => set.clone(),
            _ => return None,
        };
        self.tested.known(&set)
    }

    /// Advances until a stage needs a test.
    fn advance(&mut self) {
        loop {
            let best = self.tested.best.count_ones(..);
            match &mut self.stage {
                Stage::Full | Stage::Base | Stage::Start | Stage::Growing(_) | Stage::Trimming(_) => {
                    let Some(verdict) = self.awaited() else { return };
                    self.enter(verdict);
                }
                Stage::Searching(Engine::Reduction(reduction)) => {
                    while let Some((set, verdict)) = reduction.known(&self.tested) {
                        reduction.absorb(&set, verdict);
                    }
                    if !reduction.is_over() && best > 0 {
                        return;
                    }
                    self.conclude();
                }
                Stage::Searching(Engine::Definer(definer)) => {
                    let scores = &self.significance.scores;
                    definer.settle(Guide { tested: &self.tested, dependencies: &self.dependencies, scores });
                    if !definer.is_over() {
                        return;
                    }
                    self.conclude();
                }
                Stage::Proving(proof) if best < proof.len() => {
                    self.needed_before.extend(proof.needed());
                    self.gone = proof.gone(&self.tested.best);
                    self.search();
                }
                Stage::Proving(proof) => {
                    let (tested, dependencies) = (&self.tested, &self.dependencies);
                    proof.settle(Known { tested, dependencies, unresolved: &self.unresolved });
                    if !proof.is_over() {
                        return;
                    }
                    let mut shown = std::mem::take(&mut proof.shown);
                    shown.sort_unstable_by_key(|shown| Reverse(shown.change));
                    self.stage = Stage::Done(Guarantee::OneMinimal, shown);
                }
                Stage::Refuted(_) | Stage::Done(..) => return,
            }
        }
    }

    /// Returns the next stage after one of the first tests.
    fn enter(&mut self, verdict: Verdict) {
        let holds = verdict == Verdict::Holds;
        match &self.stage {
            Stage::Full if !holds => self.stage = Stage::Refuted(verdict),
            Stage::Full => self.stage = Stage::Base,
            Stage::Base if holds => self.stage = Stage::Done(Guarantee::OneMinimal, Vec::new()),
            Stage::Base if self.start.is_some() => self.stage = Stage::Start,
            Stage::Start if !holds => {
                let size = self.start.as_ref().map_or(0, |start| start.count_ones(..));
                self.warnings.push(message::start_dropped(size, verdict));
                self.search();
            }
            Stage::Growing(_) if !holds => self.grow(verdict),
            Stage::Growing(growth) if growth.set == self.always => {
                self.stage = Stage::Done(Guarantee::OneMinimal, Vec::new());
            }
            Stage::Growing(_) => {
                if !self.fixed.is_subset(&self.tested.best) {
                    self.fixed.clone_from(&self.always);
                }
                self.search();
            }
            _ => self.search(),
        }
    }

    /// Learns from an observation.
    fn learn(&mut self, key: Key, set: &FixedBitSet, verdict: Verdict, observation: &Observation) {
        self.keys.push(key);
        // Unreadable signals were rejected earlier.
        let signals =
            Signals::read(observation.signals.as_ref(), self.tested.count(), &self.charges).unwrap_or_default();
        if verdict == Verdict::Unresolved {
            self.unresolved.learn(key, set, observation, signals.conflict);
        }
        let rests_otherwise = self.dependencies.learn(set, verdict, signals.conflict);
        if self.config.learn {
            self.significance.learn(set, verdict, signals.facts);
        }
        let is_hint = self.hints.absorb(set, verdict == Verdict::Holds);
        let Stage::Searching(Engine::Reduction(reduction)) = &mut self.stage else { return };
        if rests_otherwise && self.config.algorithm == SliceMethod::Auto {
            reduction.rest_on(&self.dependencies);
        }
        if !is_hint {
            reduction.absorb(set, verdict);
        } else if verdict == Verdict::Holds {
            // The removed changes were selected, so they say nothing about how many of the others are needed.
            if let Some(anew) = self.reduction() {
                self.stage = Stage::Searching(Engine::Reduction(Box::new(anew)));
            }
        }
    }

    /// Looks for changes that facts suggest removing.
    fn look_for_hints(&mut self) {
        let is_searching = matches!(self.stage, Stage::Searching(Engine::Reduction(_)));
        if is_searching && self.config.algorithm == SliceMethod::Auto {
            self.hints.look(&self.tested, &self.fixed, &self.significance, &self.dependencies);
        }
    }

    /// Returns the next sets to test that are not in flight.
    fn wanted(&mut self, want: usize, flying: &[FixedBitSet]) -> Vec<FixedBitSet> {
        let none = FixedBitSet::with_capacity(self.tested.count());
        match &mut self.stage {
            // If all changes together hold, the empty set is tested next.
            Stage::Full => vec![self.tested.all(), none],
            Stage::Base => vec![none],
            Stage::Start => self.start.clone().into_iter().collect(),
            Stage::Growing(_) => {
                let Stage::Growing(growth) = &self.stage else { return Vec::new() };
                self.growths(growth).filter(|set| !flying.contains(set)).take(want).collect()
            }
            Stage::Trimming(set) => vec![set.clone()],
            Stage::Searching(Engine::Reduction(reduction)) => {
                let hint = self.hints.next().filter(|hint| !flying.contains(hint));
                let others = want - usize::from(hint.is_some());
                let others = if others > 0 { reduction.choose(others, flying) } else { Vec::new() };
                hint.cloned().into_iter().chain(others).collect()
            }
            Stage::Searching(Engine::Definer(definer)) => {
                let scores = &self.significance.scores;
                definer.choose(want, flying, Guide { tested: &self.tested, dependencies: &self.dependencies, scores })
            }
            Stage::Proving(proof) => {
                let (tested, dependencies) = (&self.tested, &self.dependencies);
                proof.choose(want, flying, Known { tested, dependencies, unresolved: &self.unresolved })
            }
            Stage::Refuted(_) | Stage::Done(..) => Vec::new(),
        }
    }
}

impl Algorithm for Slice {
    type Config = SlicerConfig;
    type Report = SlicerReport;
    type Space = Items;

    const NAME: &'static str = "slice";

    fn new(changes: usize, config: SlicerConfig) -> Result<Self, Error> {
        config.check(changes)?;
        let tested = TestedSets::new(changes, config.judged())?;
        let dependencies = Dependencies::new(changes, config.dependencies.clone());
        let set_of = |indices: &[usize]| {
            let mut set = FixedBitSet::with_capacity(changes);
            set.extend(indices.iter().copied());
            set
        };
        let start = config.start.as_ref().map(|start| {
            let mut set = set_of(start);
            dependencies.complete(&mut set);
            set
        });
        let always = set_of(&config.always);
        let related = Related::of(&always, start.as_ref(), &dependencies);
        Ok(Slice {
            charges: Charges::of(&config.charges, changes)?,
            significance: Significance::new(changes),
            hints: Hints::default(),
            keys: Vec::new(),
            unresolved: UnresolvedSets::default(),
            stage: Slice::first_stage(&always),
            fixed: always.clone(),
            always,
            related,
            needed_before: FixedBitSet::with_capacity(changes),
            gone: Vec::new(),
            searches: 0,
            warnings: config.warnings.clone(),
            config,
            tested,
            dependencies,
            start,
        })
    }

    fn space(&self) -> &Items {
        &self.tested.items
    }

    fn space_mut(&mut self) -> &mut Items {
        Arc::make_mut(&mut self.tested.items)
    }

    fn config(&self) -> &SlicerConfig {
        &self.config
    }

    fn check(&self, key: Key, observation: &Observation) -> Result<(), Error> {
        let signals = Signals::read(observation.signals.as_ref(), self.tested.count(), &self.charges)?;
        match signals.conflict {
            Some(change) if !self.tested.items.set(key).contains(change) => {
                let expected = "a change of the set that was asked: one that could not be picked";
                Err(Error::invalid("signals/conflict", change, expected))
            }
            _ => Ok(()),
        }
    }

    fn absorb(&mut self, key: Key, observation: &Observation) -> Reading {
        if let Some(reading) = self.tested.postpones(key, observation) {
            return reading;
        }
        let Some(verdict) = self.tested.absorb(key, observation) else { return Reading::Stands };
        let set = self.tested.bits(key);
        self.learn(key, &set, verdict, observation);
        self.advance();
        self.look_for_hints();
        Reading::Stands
    }

    fn reset(&mut self) {
        self.tested.forget();
        self.begin_rereading();
    }

    fn begin_rereading(&mut self) {
        self.tested.forget_verdicts();
        self.dependencies.forget();
        self.significance.forget();
        self.hints = Hints::default();
        self.keys.clear();
        self.unresolved.forget();
        self.stage = Slice::first_stage(&self.always);
        self.fixed.clone_from(&self.always);
        self.needed_before.clear();
        self.gone.clear();
        self.searches = 0;
        self.warnings.clone_from(&self.config.warnings);
    }

    fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key> {
        let flying: Vec<FixedBitSet> = in_flight.iter().map(|&key| self.tested.bits(key)).collect();
        let mut sets = self.wanted(want, &flying);
        sets.retain(|set| !flying.contains(set) && self.tested.known(set).is_none());
        sets.truncate(want);
        self.tested.unanswered(&sets)
    }

    fn wants(&self, in_flight: &[Key]) -> Vec<bool> {
        let sets: Vec<FixedBitSet> = in_flight.iter().map(|&key| self.tested.bits(key)).collect();
        let is_wanted = |set: &FixedBitSet| match &self.stage {
            Stage::Full | Stage::Base => true,
            Stage::Start => self.start.as_ref() == Some(set),
            Stage::Growing(growth) => self.growths(growth).any(|other| other == *set),
            Stage::Trimming(other) => other == set,
            Stage::Searching(Engine::Reduction(_)) => self.hints.next() == Some(set),
            Stage::Searching(Engine::Definer(definer)) => definer.wants(set),
            Stage::Proving(proof) => proof.wants(set, self.known()),
            Stage::Refuted(_) | Stage::Done(..) => false,
        };
        let wanted = sets.iter().map(is_wanted);
        match &self.stage {
            Stage::Searching(Engine::Reduction(reduction)) => {
                wanted.zip(reduction.wants(&sets)).map(|(hinted, wanted)| hinted || wanted).collect()
            }
            _ => wanted.collect(),
        }
    }

    fn status(&self) -> Status {
        match self.stage {
            Stage::Refuted(Verdict::Unresolved) => Status::Untestable,
            Stage::Refuted(_) => Status::NotReproduced,
            Stage::Done(..) => Status::Found,
            _ => Status::Running,
        }
    }

    fn best(report: &SlicerReport, _: &mut dyn FnMut(&str) -> String) -> Vec<String> {
        message::best(report)
    }

    fn report(&self, status: Status, ledger: &Ledger) -> SlicerReport {
        let (guarantee, shown) = match &self.stage {
            Stage::Done(guarantee, shown) => (*guarantee, shown.as_slice()),
            Stage::Proving(proof) => (Guarantee::BestSoFar, proof.shown.as_slice()),
            _ => (Guarantee::BestSoFar, &[][..]),
        };
        let kept: Vec<usize> = match self.stage {
            Stage::Refuted(_) => Vec::new(),
            Stage::Full => self.tested.all().ones().collect(),
            Stage::Growing(_) if !self.has_held() => self.always.ones().collect(),
            _ => self.tested.best.ones().collect(),
        };
        let full = match &self.stage {
            Stage::Growing(_) if !self.has_held() => None,
            Stage::Refuted(verdict) => Some(*verdict),
            _ if self.always.is_clear() => self.tested.verdicts.of(FULL),
            _ => Some(Verdict::Holds),
        };
        let (count, always) = (self.tested.count(), self.always.count_ones(..));
        let said = Said { status, keep: self.config.keep, count, always, kept: kept.len(), guarantee, full };
        let observations: Vec<TargetObservation> = ledger.observations(&*self.tested.items);
        SlicerReport {
            status,
            message: message::message(&said),
            names: self.names(&kept),
            cherry_pick: self.cherry_pick(if full == Some(Verdict::Holds) { &kept } else { &[] }),
            kept,
            always: self.config.always.clone(),
            of: self.tested.count(),
            guarantee,
            why: self.why(shown, ledger),
            sizes: self.sizes(ledger),
            warnings: self.warnings(shown),
            runs: ledger.runs(),
            asked: ledger.asked(),
            observations,
            commits: BTreeMap::new(),
        }
    }
}
