//! The search for a slice as an ask/tell search.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::charges::Charges;
use super::config::{SliceMethod, SlicerConfig};
use super::definer::{Definer, Guide};
use super::dependencies::Dependencies;
use super::facts::Signals;
use super::hints::Hints;
use super::message::{self, Said};
use super::proof::{Proof, Shown};
use super::reduction::{Plan, Reduction};
use super::report::{SliceEvidence, SliceSize, SlicerReport};
use super::significance::Significance;
use crate::error::Error;
use crate::reduction::{FULL, Guarantee, TestedSets, Verdict};
use crate::search::{Algorithm, AskTell, Items, Key, Ledger, Observation, Reading, Status, TargetObservation};

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
    config: SlicerConfig,
    tested: TestedSets,
    dependencies: Dependencies,
    charges: Charges,
    significance: Significance,
    hints: Hints,
    /// The keys of the sets with an outcome, in the order told.
    keys: Vec<Key>,
    /// The change that could not be applied, for each set with a conflict.
    conflicts: HashMap<Key, usize>,
    /// The start with its predicted dependencies, or `None` without a start.
    start: Option<FixedBitSet>,
    stage: Stage,
    /// The changes that a larger slice was shown to need.
    needed_before: FixedBitSet,
    /// The changes removed from the last such slice, ascending.
    gone: Vec<usize>,
    /// The number of searches for a smaller slice.
    searches: usize,
    warnings: Vec<String>,
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
        Some(Reduction::new(Plan { method, monotonic }, &self.tested, &keys, &self.dependencies))
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
        self.stage = match self.config.guarantee {
            Guarantee::OneMinimal => Stage::Proving(self.proof()),
            _ => Stage::Done(Guarantee::Fixpoint, Vec::new()),
        };
    }

    fn proof(&self) -> Proof {
        Proof::new(&self.tested.best, &self.needed_before, &self.gone)
    }

    /// The verdict of the set that a stage waits for.
    fn awaited(&self) -> Option<Verdict> {
        let set = match &self.stage {
            Stage::Full => self.tested.all(),
            Stage::Base => FixedBitSet::with_capacity(self.tested.count()),
            Stage::Start => self.start.clone()?,
            _ => return None,
        };
        self.tested.known(&set)
    }

    /// Advances until a stage needs a test.
    fn advance(&mut self) {
        loop {
            let best = self.tested.best.count_ones(..);
            match &mut self.stage {
                Stage::Full | Stage::Base | Stage::Start => {
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
                    proof.settle(&self.tested, &self.dependencies, &self.conflicts);
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
            _ => self.search(),
        }
    }

    /// Learns from an observation.
    fn learn(&mut self, key: Key, set: &FixedBitSet, verdict: Verdict, signals: Signals) {
        self.keys.push(key);
        if let Some(change) = signals.conflict.filter(|_| verdict == Verdict::Unresolved) {
            self.conflicts.insert(key, change);
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
            self.hints.look(&self.tested, &self.significance, &self.dependencies);
        }
    }

    fn names(&self, changes: &[usize]) -> Vec<String> {
        changes.iter().map(|&change| self.name(change)).collect()
    }

    fn name(&self, change: usize) -> String {
        self.config.changes.get(change).cloned().unwrap_or_else(|| change.to_string())
    }

    /// Returns the evidence that changes are needed, for the report.
    fn why(&self, shown: &[Shown], ledger: &Ledger) -> Vec<SliceEvidence> {
        let mut number: HashMap<Key, usize> = HashMap::new();
        for (place, answer) in ledger.answers().iter().enumerate() {
            number.entry(answer.key).or_insert(place);
        }
        let reason = |shown: &Shown| {
            let numbers: Vec<usize> = shown.sets.iter().filter_map(|key| number.get(key).copied()).collect();
            let (&observation, unbuilt) = numbers.split_last()?;
            let answer = &ledger.answers()[observation];
            Some(SliceEvidence {
                change: shown.change,
                name: self.name(shown.change),
                changes: self.tested.items.set(answer.key).clone(),
                observation,
                outcome: answer.observation.outcome,
                ran: answer.observation.ran,
                unbuilt: unbuilt.to_vec(),
            })
        };
        shown.iter().filter_map(reason).collect()
    }

    /// Returns the number of changes left after each run.
    fn sizes(&self, ledger: &Ledger) -> Vec<SliceSize> {
        let (mut sizes, mut run, mut least) = (Vec::new(), 0, usize::MAX);
        for answer in ledger.answers() {
            run += u64::from(answer.probe.is_some() && answer.observation.ran);
            let set = self.tested.items.set(answer.key);
            let holds = self.tested.verdicts.of(answer.key) == Some(Verdict::Holds);
            if holds && set.len() < least {
                least = set.len();
                sizes.push(SliceSize { run, changes: least });
            }
        }
        sizes
    }

    fn warnings(&self, shown: &[Shown]) -> Vec<String> {
        let is_unbuilt = |shown: &&Shown| {
            shown.sets.last().is_some_and(|&key| self.tested.verdicts.of(key) == Some(Verdict::Unresolved))
        };
        let unbuilt: Vec<usize> = shown.iter().filter(is_unbuilt).map(|shown| shown.change).collect();
        let mut warnings = self.warnings.clone();
        if !unbuilt.is_empty() {
            warnings.push(message::not_built(&self.names(&unbuilt)));
        }
        warnings
    }

    /// Returns the next sets to test that are not in flight.
    fn wanted(&mut self, want: usize, flying: &[FixedBitSet]) -> Vec<FixedBitSet> {
        let none = FixedBitSet::with_capacity(self.tested.count());
        match &mut self.stage {
            // If all changes together hold, the empty set is tested next.
            Stage::Full => vec![self.tested.all(), none],
            Stage::Base => vec![none],
            Stage::Start => self.start.clone().into_iter().collect(),
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
            Stage::Proving(proof) => proof.choose(want, flying, &self.tested, &self.dependencies, &self.conflicts),
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
        let start = config.start.as_ref().map(|start| {
            let mut set = FixedBitSet::with_capacity(changes);
            set.extend(start.iter().copied());
            dependencies.complete(&mut set);
            set
        });
        Ok(Slice {
            charges: Charges::of(&config.charges, changes)?,
            significance: Significance::new(changes),
            hints: Hints::default(),
            keys: Vec::new(),
            conflicts: HashMap::new(),
            stage: Stage::Full,
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
        // Unreadable signals were rejected earlier.
        let signals =
            Signals::read(observation.signals.as_ref(), self.tested.count(), &self.charges).unwrap_or_default();
        self.learn(key, &set, verdict, signals);
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
        self.conflicts.clear();
        self.stage = Stage::Full;
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
            Stage::Searching(Engine::Reduction(_)) => self.hints.next() == Some(set),
            Stage::Searching(Engine::Definer(definer)) => definer.wants(set),
            Stage::Proving(proof) => proof.wants(set, &self.tested, &self.dependencies, &self.conflicts),
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
            _ => self.tested.best.ones().collect(),
        };
        let full = self.tested.verdicts.of(FULL);
        let said =
            Said { status, keep: self.config.keep, count: self.tested.count(), kept: kept.len(), guarantee, full };
        let observations: Vec<TargetObservation> = ledger.observations(&*self.tested.items);
        SlicerReport {
            status,
            message: message::message(&said),
            names: self.names(&kept),
            kept,
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
