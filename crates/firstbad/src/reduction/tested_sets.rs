//! The state that all reductions share: items, requirements, observations, and the smallest set that holds.

use std::collections::BTreeMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::config::ReductionConfig;
use super::requirements::Requirements;
use super::verdicts::{FULL, Noise, Verdict, Verdicts};
use crate::belief::{Rates, RunCounts, Sought};
use crate::error::Error;
use crate::items::needs::Need;
use crate::items::repeats::{Repeat, packed};
use crate::search::{ChangeSet, Items, Key, Observation, Outcome, Reading};

/// The items of one reduction, and the verdicts of tested sets. Clones are cheap.
#[derive(Debug, Clone)]
pub(crate) struct TestedSets {
    pub(crate) items: Arc<Items>,
    pub(crate) config: Arc<ReductionConfig>,
    /// The requirements. Guessed ones are dropped once a test contradicts them.
    pub(crate) requirements: Option<Arc<Requirements>>,
    /// The requirements at the start, and the part of them that is certain.
    guessed: Option<Arc<Requirements>>,
    pub(super) firm: Option<Arc<Requirements>>,
    pub(crate) verdicts: Arc<Verdicts>,
    sought: Sought,
    /// Whether the set of all items has a verdict. With an oracle, this set determines which failure is kept.
    is_full_answered: bool,
    /// Sets that were told before that.
    early: Vec<Key>,
    /// The smallest set that was observed to have the property.
    pub(crate) best: FixedBitSet,
    /// The verdicts that are assumed during lookahead. If pieces are equal, the sets are packed.
    supposed: Vec<(FixedBitSet, Verdict)>,
    /// The verdicts by packed set, if pieces are equal.
    packed: Arc<HashMap<FixedBitSet, Verdict>>,
}

impl TestedSets {
    pub(crate) fn new(count: usize, config: ReductionConfig) -> Result<Self, Error> {
        config.check(count)?;
        let noise = config.confidence.map(|confidence| {
            let rates = Rates::rare(config.flake_rate, config.false_pass_rate);
            let rates = rates.map_err(|fault| Error::invalid(fault.argument, fault.value, fault.expected))?;
            Ok::<_, Error>(Noise::new(rates, confidence, count))
        });
        let verdicts = Verdicts::new(config.monotonic, noise.transpose()?);
        let guessed = Requirements::of(&config, count).map(Arc::new);
        let firm = match &config.guess {
            Some(_) => Requirements::firm(&config, count).map(Arc::new),
            None => guessed.clone(),
        };
        let sought = Sought::new(config.signature.clone());
        let mut tested = TestedSets {
            items: Arc::new(Items::new(count)),
            config: Arc::new(config),
            requirements: guessed.clone(),
            guessed,
            firm,
            verdicts: Arc::new(verdicts),
            sought,
            is_full_answered: false,
            early: Vec::new(),
            best: FixedBitSet::with_capacity(count),
            supposed: Vec::new(),
            packed: Arc::default(),
        };
        tested.forget();
        Ok(tested)
    }

    /// Replaces the requirements.
    pub(super) fn rest_on(&mut self, dependencies: BTreeMap<usize, Vec<Need>>) {
        Arc::make_mut(&mut self.config).dependencies = dependencies;
        self.requirements = Requirements::of(&self.config, self.count()).map(Arc::new);
        (self.guessed, self.firm) = (self.requirements.clone(), self.requirements.clone());
    }

    /// Drops guessed requirements that a passing set contradicts.
    pub(super) fn stands(&mut self, left: &FixedBitSet) {
        if self.config.guess.is_some() {
            self.requirements = self.requirements.as_ref().map(|guessed| Arc::new(guessed.among(left)));
        }
    }

    /// Forgets all observations.
    pub(crate) fn forget(&mut self) {
        self.sought.forget();
        self.is_full_answered = false;
        self.forget_verdicts();
    }

    /// Forgets all verdicts, but not which failure is kept.
    pub(crate) fn forget_verdicts(&mut self) {
        Arc::make_mut(&mut self.verdicts).forget();
        self.packed = Arc::default();
        self.early.clear();
        self.requirements.clone_from(&self.guessed);
        self.best = self.all();
    }

    pub(crate) fn count(&self) -> usize {
        self.items.count()
    }

    /// Returns the set of all items.
    pub(crate) fn all(&self) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.count());
        all.insert_range(..);
        all
    }

    pub(crate) fn bits(&self, key: Key) -> FixedBitSet {
        let mut bits = FixedBitSet::with_capacity(self.count());
        let words = self.items.set(key).words();
        bits.as_mut_slice()[..words.len()].copy_from_slice(words);
        bits
    }

    pub(crate) fn key_of(&mut self, set: &FixedBitSet) -> Key {
        Arc::make_mut(&mut self.items).key_of(ChangeSet::of_words(set.as_slice()))
    }

    /// Returns the verdict of a set, or of another set with the same text.
    pub(crate) fn known(&self, set: &FixedBitSet) -> Option<Verdict> {
        let repeats = self.repeats();
        if repeats.is_empty() {
            return self.supposed(set).or_else(|| self.verdicts.verdict(&self.items, set));
        }
        let packed = packed(repeats, set);
        let own = self.supposed(&packed).or_else(|| self.verdicts.verdict(&self.items, set));
        own.or_else(|| self.packed.get(&packed).copied())
    }

    fn supposed(&self, set: &FixedBitSet) -> Option<Verdict> {
        self.supposed.iter().find(|(other, _)| other == set).map(|(_, verdict)| *verdict)
    }

    fn repeats(&self) -> &[Repeat] {
        self.config.guess.as_ref().map_or(&[], |guess| &guess.repeats)
    }

    /// Assumes the verdict of a set without one.
    pub(super) fn suppose(&mut self, set: &FixedBitSet, verdict: Verdict) {
        self.supposed.push((packed(self.repeats(), set), verdict));
        if verdict == Verdict::Holds && set.count_ones(..) < self.best.count_ones(..) {
            self.best.clone_from(set);
        }
    }

    /// Returns the keys of sets without an outcome, not even an early one.
    pub(crate) fn unanswered(&mut self, sets: &[FixedBitSet]) -> Vec<Key> {
        let keys: Vec<Key> = sets.iter().map(|set| self.key_of(set)).collect();
        keys.into_iter().filter(|key| !self.early.contains(key)).collect()
    }

    /// Returns whether an outcome must wait for the set of all items, which determines the kept failure. Returns `Anew` when
    /// that set is told and outcomes were waiting.
    pub(crate) fn postpones(&mut self, key: Key, observation: &Observation) -> Option<Reading> {
        if self.config.keep != Outcome::Fail || self.is_full_answered {
            return None;
        }
        if key != FULL {
            self.early.push(key);
            return Some(Reading::Stands);
        }
        self.sought.learns_from(observation);
        self.is_full_answered = true;
        (!self.early.is_empty()).then_some(Reading::Anew)
    }

    /// Returns whether a failure differs from the kept one.
    pub(super) fn is_other_failure(&self, observation: &Observation) -> bool {
        self.config.keep == Outcome::Fail && self.sought.is_other(observation)
    }

    /// Records an observation and returns the verdict that it settles.
    pub(crate) fn absorb(&mut self, key: Key, observation: &Observation) -> Option<Verdict> {
        let runs = match self.config.keep {
            Outcome::Fail => {
                let RunCounts { passes, fails } = self.sought.tally(observation);
                RunCounts { passes: fails, fails: passes }
            }
            _ => RunCounts::from(observation),
        };
        let verdict = Arc::make_mut(&mut self.verdicts).learn(&self.items, key, runs)?;
        let set = self.bits(key);
        if !self.repeats().is_empty() {
            let packed = packed(self.repeats(), &set);
            Arc::make_mut(&mut self.packed).entry(packed).or_insert(verdict);
        }
        if verdict == Verdict::Holds && set.count_ones(..) < self.best.count_ones(..) {
            self.best = set;
        }
        Some(verdict)
    }
}
