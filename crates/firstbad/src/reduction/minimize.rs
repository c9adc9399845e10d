//! Minimization as an ask/tell search: passes of a plan, repeated in rounds, and a final check.
//!
//! ```text
//!     if the property does not hold for all items: stop
//!     continue with the first expected set that holds     begin
//!     repeat                                    begin_round, end_pass
//!         for each pass of the round: pass
//!     until nothing changes
//!     for each later pass                       go_further
//!         pass; if it changes something: the round again, with this pass in it
//!     check sets with one unit less             conclude, end_check
//!     if one holds: the round again, or the check
//! ```
//!
//! The plan chooses the passes and the sets of the final check. The algorithm, such as `ddmin`, chooses the sets of a pass.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::config::{Guarantee, Method, ReductionConfig};
use super::expected::{Expect, Expected, Found};
use super::futures::{Looking, likeliest};
use super::message;
use super::pass::{Pass, Round};
use super::plan::{At, Left, Part, Plan, Then, leaves, plan};
use super::report::MinimizeReport;
use super::requirements::Requirements;
use super::tested_sets::TestedSets;
use super::units::Units;
use super::verdicts::Verdict;
use crate::error::Error;
use crate::items::needs::Need;
use crate::search::{
    Algorithm, ChangeSet, Items, Key, Ledger, Observation, Outcome, Reading, Status, TargetObservation,
};

/// A search for the smallest set of items that still has a property. Clones are cheap.
#[derive(Debug, Clone)]
pub struct Minimize {
    tested: TestedSets,
    plan: Arc<dyn Plan>,
    /// The smallest units of all passes.
    leaves: Arc<Units>,
    /// The recent share of sets that held.
    held: f64,
    stage: Stage,
    /// The number of passes in the current round.
    reach: usize,
    /// The items that the passes so far left.
    current: FixedBitSet,
    /// The number of the current pass, and the items at the start of its round.
    at: usize,
    begun: FixedBitSet,
    /// Units known to be needed, by pass.
    fixed: Vec<FixedBitSet>,
    /// Whether a unit stayed in this round although no test showed that it is needed.
    doubtful: bool,
    rounds: usize,
    gave_way: bool,
    /// The size of the smallest set that held by the end of the first round.
    first: Option<usize>,
    /// Whether outcomes showed that the property is not monotonic, and only tested sets count.
    strict: bool,
    /// Whether a few sets with one unit less confirmed the result.
    controlled: bool,
    part: Part,
    expected: Arc<Expected>,
}

#[derive(Debug, Clone)]
enum Stage {
    /// Tests whether all items together have the property.
    Full,
    /// All items together lack the property.
    Refuted(Verdict),
    /// Tests the expected set with this number.
    Expecting(usize),
    Passing(Box<Pass>),
    Checking(Box<Pass>),
    Done(Guarantee),
}

/// The number of sets with one item less to test before a result that assumes a monotonic property is accepted.
const CONTROLS: usize = 1;
/// The number of verdicts that `held` averages over, and its initial value.
const MEMORY: f64 = 16.0;
const EVEN: f64 = 0.5;
/// The number of assumptions for each set that a lookahead finds.
const EFFORT: usize = 4;

impl Minimize {
    /// Returns the number of items after the first round, or `None` before the round ends. The later rounds lead to the
    /// fixpoint (IDD, Section 3.4).
    pub(crate) fn left_by_first_round(&self) -> Option<usize> {
        self.first
    }

    /// Sets the guesses of the result, and how to continue with each of them and with all items.
    pub(crate) fn expect(&mut self, sets: &[(ChangeSet, Expect)], all: Expect) {
        self.expected = Arc::new(Expected::new(sets, self.tested.count(), all));
    }

    /// Replaces the dependencies for all further tests.
    pub(crate) fn rest_on(&mut self, dependencies: BTreeMap<usize, Vec<Need>>) {
        self.tested.rest_on(dependencies);
        self.advance();
    }

    fn end_round(&mut self) {
        self.first.get_or_insert(self.tested.best.count_ones(..));
    }

    fn first_pass(&self) -> Pass {
        let units = &self.plan.passes()[0];
        let none = FixedBitSet::with_capacity(units.len());
        let requirements = self.tested.requirements.as_deref();
        let mut pass = Pass::new(&self.tested, units, &self.tested.all(), &none, Round::First, requirements);
        pass.settle(&self.tested, requirements);
        pass
    }

    /// Continues with the first expected set that holds, or with all items. Returns false until the next one is tested.
    fn begin(&mut self, at: usize) -> bool {
        let expected = Arc::clone(&self.expected);
        match expected.first(at, |set| self.tested.known(set)) {
            Found::Open(at) => {
                self.stage = Stage::Expecting(at);
                return false;
            }
            Found::Holds(set) => self.current.clone_from(set),
            Found::None => {}
        }
        match expected.then(&self.current) {
            Expect::Parts => self.begin_round(),
            Expect::Nothing => self.stage = Stage::Done(Guarantee::BestSoFar),
            Expect::Minimal => {
                self.begun.clone_from(&self.current);
                self.check_part(Part::Leaves, usize::MAX);
            }
        }
        true
    }

    /// Starts the first round after a check. Units that could not be removed alone are needed, and so is all around them.
    fn begin_after(&mut self, tried: &FixedBitSet) {
        for (units, fixed) in self.plan.passes().iter().zip(&mut self.fixed) {
            let needed = tried.ones().flat_map(|unit| self.leaves.items_of(unit));
            needed.filter_map(|item| units.unit_of(item)).for_each(|unit| fixed.insert(unit));
        }
        self.begin_round();
    }

    fn begin_round(&mut self) {
        self.begun.clone_from(&self.current);
        self.doubtful = false;
        self.rounds += 1;
        self.begin_pass(0);
    }

    fn begin_pass(&mut self, at: usize) {
        self.at = at;
        let round = match (self.rounds > 1, self.gave_way) {
            (false, _) => Round::First,
            (true, false) => Round::Again,
            (true, true) => Round::InPieces,
        };
        self.plan.fix(at, &mut self.fixed, &self.current);
        let (units, fixed, requirements) = (&self.plan.passes()[at], &self.fixed[at], self.requirements());
        let pass = Pass::new(&self.tested, units, &self.current, fixed, round, requirements.as_deref());
        self.stage = Stage::Passing(Box::new(pass));
    }

    /// The dependencies that apply in the current stage.
    fn requirements(&self) -> Option<Arc<Requirements>> {
        let at = if let Stage::Checking(_) = self.stage { At::Check(self.part) } else { At::Pass(self.at) };
        if self.plan.ignores_guesses(at) { &self.tested.firm } else { &self.tested.requirements }.clone()
    }

    fn distrust(&mut self) {
        self.strict = true;
        self.fixed.iter_mut().for_each(FixedBitSet::clear);
    }

    fn go_on(&mut self, set: &FixedBitSet, verdict: Verdict) {
        let (is_full, is_flat) = (set.is_full(), self.plan.is_flat());
        let requirements = self.requirements();
        match &mut self.stage {
            Stage::Full if is_full && verdict == Verdict::Holds => _ = self.begin(0),
            Stage::Full if is_full => self.stage = Stage::Refuted(verdict),
            // In a tree, early verdicts wait for their turn: two separately removable parts often cannot be removed
            // together.
            Stage::Passing(pass) if is_flat || pass.next() == Some(set) => {
                pass.absorb(set, verdict, requirements.as_deref());
            }
            _ => {}
        }
        self.advance();
    }

    fn next(&self) -> Option<FixedBitSet> {
        match &self.stage {
            Stage::Full => Some(self.tested.all()),
            Stage::Expecting(at) => self.expected.set(*at),
            Stage::Passing(pass) | Stage::Checking(pass) => pass.next().cloned(),
            Stage::Refuted(_) | Stage::Done(_) => None,
        }
    }

    /// Returns at most `want` sets that test different places at the same time, for items without a tree.
    fn side_by_side(&self, want: usize, in_flight: &[FixedBitSet]) -> Vec<FixedBitSet> {
        let (all, requirements) = (self.tested.all(), self.requirements());
        let requirements = requirements.as_deref();
        match &self.stage {
            _ if !self.plan.is_flat() => Vec::new(),
            Stage::Full if in_flight.contains(&all) => {
                self.first_pass().side_by_side(&self.tested, want, in_flight, requirements)
            }
            Stage::Full => {
                // Assume that the full set holds.
                let mut sets = self.first_pass().side_by_side(&self.tested, want - 1, in_flight, requirements);
                sets.insert(0, all);
                sets
            }
            Stage::Passing(pass) | Stage::Checking(pass) => {
                pass.side_by_side(&self.tested, want, in_flight, requirements)
            }
            Stage::Expecting(_) | Stage::Refuted(_) | Stage::Done(_) => Vec::new(),
        }
    }

    /// Returns the sets that will most likely be tested next, across all passes.
    fn look_ahead(&self, looking: &Looking<'_>) -> Vec<FixedBitSet> {
        let suppose = |minimize: &Self, set: &FixedBitSet, verdict| {
            let mut supposed = minimize.clone();
            supposed.tested.suppose(set, verdict);
            supposed.go_on(set, verdict);
            supposed
        };
        likeliest(self.clone(), looking, self.held, Minimize::next, suppose)
    }

    /// Advances until a stage needs a test.
    fn advance(&mut self) {
        loop {
            let requirements = self.requirements();
            match &mut self.stage {
                Stage::Expecting(at) => {
                    let at = *at;
                    if !self.begin(at) {
                        return;
                    }
                    continue;
                }
                Stage::Passing(pass) | Stage::Checking(pass) => {
                    pass.settle(&self.tested, requirements.as_deref());
                    if !(pass.is_over() || self.rounds == 0 && pass.has_removed()) {
                        return;
                    }
                }
                Stage::Full | Stage::Refuted(_) | Stage::Done(_) => return,
            }
            match std::mem::replace(&mut self.stage, Stage::Full) {
                Stage::Passing(pass) => self.end_pass(&pass),
                Stage::Checking(pass) => self.end_check(&pass),
                other => self.stage = other,
            }
        }
    }

    fn end_pass(&mut self, pass: &Pass) {
        if matches!(pass, Pass::Nested(nested) if nested.is_broken()) {
            self.end_round();
            // A conclusion from larger sets was wrong.
            return self.go_on_from_best();
        }
        // The recursion of the paper starts each round without knowledge.
        let remembers = !self.strict && self.tested.config.algorithm != Method::Recursive;
        if let Some(proved) = pass.proved().filter(|_| remembers) {
            self.fixed[self.at].union_with(proved);
        }
        self.current = pass.kept();
        if self.plan.ignores_guesses(At::Pass(self.at)) {
            self.tested.stands(&self.current);
        }
        self.doubtful |= pass.is_doubtful();
        self.gave_way |= pass.gave_way();
        if self.at + 1 < self.reach {
            return self.begin_pass(self.at + 1);
        }
        self.end_round();
        // Group testing leaves unresolved sets to the second round, which uses another method.
        let is_half_done = self.rounds == 1 && self.doubtful && self.tested.config.algorithm == Method::Auto;
        let changed = self.current != self.begun || is_half_done;
        let literal = self.tested.config.algorithm == Method::Ddmin;
        let is_flat = self.plan.is_flat();
        let worthwhile = self.doubtful || self.strict || literal && !is_flat;
        if changed && worthwhile && !(literal && is_flat) {
            return self.begin_round();
        }
        match self.plan.check_after(self.reach) {
            Some(part) if self.is_best() => self.check_part(part, usize::MAX),
            _ => self.go_further(),
        }
    }

    /// Starts the next of the later passes. If a later pass changes something, the earlier passes run again, which leaves
    /// fewer items for the finer passes.
    fn go_further(&mut self) {
        if self.reach == self.plan.passes().len() {
            return self.conclude();
        }
        self.reach += 1;
        self.begun.clone_from(&self.current);
        self.begin_pass(self.reach - 1);
    }

    /// Returns to the smallest set that was observed to hold. From then on, only tested sets count.
    fn go_on_from_best(&mut self) {
        self.current.clone_from(&self.tested.best);
        self.tested.stands(&self.current);
        if self.strict && self.current == self.begun {
            return self.check(usize::MAX);
        }
        self.distrust();
        self.begin_round();
    }

    /// Returns whether the current items are the smallest set that was observed to hold.
    fn is_best(&self) -> bool {
        let holds = self.tested.known(&self.current) == Some(Verdict::Holds);
        holds && self.current.count_ones(..) <= self.tested.best.count_ones(..)
    }

    fn conclude(&mut self) {
        if !self.is_best() {
            return self.go_on_from_best();
        }
        let TestedSets { config, .. } = &self.tested;
        if literal_proof(config) && self.plan.is_flat() {
            self.stage = Stage::Done(Guarantee::OneMinimal);
        } else if config.guarantee == Guarantee::OneMinimal || self.strict || config.algorithm == Method::Ddmin {
            self.check(usize::MAX);
        } else if config.algorithm == Method::Auto && !config.monotonic && !self.controlled && self.rounds == 1 {
            self.check(CONTROLS);
        } else {
            self.finish();
        }
    }

    fn check(&mut self, most: usize) {
        self.controlled = true;
        self.check_part(if most == usize::MAX { self.plan.last_check() } else { Part::Leaves }, most);
    }

    fn check_part(&mut self, part: Part, most: usize) {
        self.part = part;
        let left = Left { tested: &self.tested, leaves: &self.leaves, current: &self.current };
        self.stage = Stage::Checking(Box::new(self.plan.check(part, most, left)));
    }

    fn end_check(&mut self, pass: &Pass) {
        self.current = pass.kept();
        let Pass::Singles(sequence) = pass else { return };
        if !self.is_best() {
            self.go_on_from_best();
        } else if sequence.steps.found && self.rounds == 0 {
            self.begin_after(&sequence.steps.tried());
        } else if sequence.steps.found {
            self.tested.stands(&self.current);
            match self.plan.after_find(self.part) {
                Then::Check(part) => return self.check_part(part, usize::MAX),
                // A unit that was needed before may now be removable.
                Then::Round => self.fixed.iter_mut().for_each(FixedBitSet::clear),
                // Larger steps may work again.
                Then::Distrust => self.distrust(),
            }
            self.begin_round();
        } else if let Some(part) = self.plan.next_part(self.part) {
            self.check_part(part, usize::MAX);
        } else if self.part.is_early() {
            self.go_further();
        } else {
            self.finish();
        }
    }

    fn finish(&mut self) {
        self.end_round();
        let proved = self.is_one_minimal();
        self.stage = Stage::Done(if proved { Guarantee::OneMinimal } else { Guarantee::Fixpoint });
    }

    /// Counts the sets within the result that are unresolved. A failure other than the kept one does not count.
    fn untold(&self, observations: &[TargetObservation]) -> usize {
        let TestedSets { items, verdicts, .. } = &self.tested;
        let key_of = |seen: &TargetObservation| {
            let is_blank = seen.observation.ran && seen.observation.outcome == Outcome::Unresolved;
            let key = seen.target.changes.as_ref().filter(|_| is_blank).and_then(|set| items.find(set))?;
            let is_open =
                verdicts.of(key) == Some(Verdict::Unresolved) && self.tested.bits(key).is_subset(&self.current);
            is_open.then_some(key)
        };
        let mut untold: Vec<Key> = observations.iter().filter_map(key_of).collect();
        // With noise, a set can have several runs.
        untold.sort_unstable();
        untold.dedup();
        untold.len()
    }

    /// Returns whether every set with one unit less is known to lack the property, or is impossible.
    fn is_one_minimal(&self) -> bool {
        let mut pass = Pass::singles(&self.leaves, &self.current, usize::MAX, Vec::new());
        pass.settle(&self.tested, self.tested.firm.as_deref());
        pass.is_over() && pass.kept() == self.current
    }
}

/// Returns whether the algorithm tries every single unit before it ends.
fn literal_proof(config: &ReductionConfig) -> bool {
    config.algorithm == Method::Ddmin && config.dependencies.is_empty()
}

impl Algorithm for Minimize {
    type Config = ReductionConfig;
    type Report = MinimizeReport;
    type Space = Items;

    const NAME: &'static str = "minimize";

    fn new(items: usize, config: ReductionConfig) -> Result<Self, Error> {
        let tested = TestedSets::new(items, config)?;
        let plan = plan(&tested);
        let mut minimize = Minimize {
            stage: Stage::Full,
            current: tested.all(),
            at: 0,
            begun: tested.all(),
            fixed: Vec::new(),
            doubtful: false,
            rounds: 0,
            gave_way: false,
            first: None,
            strict: false,
            controlled: false,
            part: Part::Leaves,
            expected: Arc::default(),
            leaves: Arc::new(leaves(&tested.config, tested.firm.as_deref(), items)),
            reach: plan.first(),
            plan,
            held: EVEN,
            tested,
        };
        minimize.reset();
        Ok(minimize)
    }

    fn space(&self) -> &Items {
        &self.tested.items
    }

    fn space_mut(&mut self) -> &mut Items {
        Arc::make_mut(&mut self.tested.items)
    }

    fn config(&self) -> &ReductionConfig {
        &self.tested.config
    }

    fn repeats(&self) -> bool {
        self.tested.config.confidence.is_some()
    }

    fn absorb(&mut self, key: Key, observation: &Observation) -> Reading {
        if let Some(reading) = self.tested.postpones(key, observation) {
            return reading;
        }
        let Some(verdict) = self.tested.absorb(key, observation) else { return Reading::Stands };
        let holds = f64::from(u8::from(verdict == Verdict::Holds));
        self.held += (holds - self.held) / MEMORY;
        let set = self.tested.bits(key);
        self.go_on(&set, verdict);
        Reading::Stands
    }

    fn is_other_failure(&self, observation: &Observation) -> bool {
        self.tested.is_other_failure(observation)
    }

    fn reset(&mut self) {
        self.tested.forget();
        self.begin_rereading();
    }

    fn begin_rereading(&mut self) {
        self.tested.forget_verdicts();
        self.stage = Stage::Full;
        self.current = self.tested.all();
        self.fixed = self.plan.passes().iter().map(|units| FixedBitSet::with_capacity(units.len())).collect();
        (self.rounds, self.first, self.strict, self.controlled) = (0, None, false, false);
        (self.at, self.reach) = (0, self.plan.first());
        (self.held, self.gave_way, self.part) = (EVEN, false, Part::Leaves);
    }

    fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key> {
        if let (1, [], Stage::Passing(pass) | Stage::Checking(pass)) = (want, in_flight, &self.stage) {
            return pass.next().map(|set| self.tested.key_of(set)).into_iter().collect();
        }
        let mut taken: Vec<FixedBitSet> = in_flight.iter().map(|&key| self.tested.bits(key)).collect();
        let mut sets = self.side_by_side(want, &taken);
        if sets.len() < want {
            taken.extend_from_slice(&sets);
            sets.extend(self.look_ahead(&Looking::beside(&taken, want - sets.len(), EFFORT)));
        }
        self.tested.unanswered(&sets)
    }

    fn wants(&self, in_flight: &[Key]) -> Vec<bool> {
        let pass = match &self.stage {
            Stage::Full => return vec![true; in_flight.len()],
            Stage::Refuted(_) | Stage::Done(_) => return vec![false; in_flight.len()],
            Stage::Passing(pass) | Stage::Checking(pass) => Some(pass),
            Stage::Expecting(_) => None,
        };
        let ahead = OnceCell::new();
        let is_wanted = |&key: &Key| {
            let set = self.tested.bits(key);
            let is_of_use = matches!(pass.map(|pass| &**pass), Some(Pass::Nested(nested)) if self.plan.is_flat() && nested.wants(&set));
            is_of_use || ahead.get_or_init(|| self.look_ahead(&Looking::again(in_flight.len(), EFFORT))).contains(&set)
        };
        in_flight.iter().map(is_wanted).collect()
    }

    fn status(&self) -> Status {
        match self.stage {
            Stage::Full | Stage::Expecting(_) | Stage::Passing(_) | Stage::Checking(_) => Status::Running,
            Stage::Refuted(_) => Status::NotReproduced,
            Stage::Done(_) => Status::Found,
        }
    }

    fn best(report: &MinimizeReport, _: &mut dyn FnMut(&str) -> String) -> Vec<String> {
        message::best(&report.message, &report.observations)
    }

    fn report(&self, status: Status, ledger: &Ledger) -> MinimizeReport {
        let guarantee = match self.stage {
            Stage::Done(guarantee) => guarantee,
            _ => Guarantee::BestSoFar,
        };
        let refuted = match self.stage {
            Stage::Refuted(verdict) => Some(verdict),
            _ => None,
        };
        let kept = if guarantee == Guarantee::BestSoFar { &self.tested.best } else { &self.current };
        let kept: Vec<usize> = kept.ones().collect();
        let observations = ledger.observations(&*self.tested.items);
        MinimizeReport {
            warnings: Vec::new(),
            status,
            message: message::minimized(
                status,
                guarantee,
                (kept.len(), self.tested.count()),
                &self.tested.config,
                refuted,
                &observations,
                if guarantee == Guarantee::OneMinimal { self.untold(&observations) } else { 0 },
            ),
            kept,
            guarantee,
            asked: ledger.asked(),
            runs: ledger.runs(),
            observations,
        }
    }
}
