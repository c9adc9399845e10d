//! What every reduction has: its items, what they need, what was seen of which sets, and the smallest set that holds.

use fixedbitset::FixedBitSet;

use super::config::ReductionConfig;
use super::requirements::Requirements;
use super::verdicts::{FULL, Noise, Verdict, Verdicts};
use crate::belief::{Rates, Sought, Tally};
use crate::change_set::ChangeSet;
use crate::error::Error;
use crate::observation::{Observation, Outcome};
use crate::search::Key;
use crate::target::Target;

/// The evidence of one reduction.
#[derive(Debug)]
pub(super) struct Evidence {
    pub(super) count: usize,
    pub(super) config: ReductionConfig,
    pub(super) requirements: Option<Requirements>,
    pub(super) verdicts: Verdicts,
    sought: Sought,
    /// Answers that came before it was known which failure is meant.
    early: Vec<(Key, Observation)>,
    /// The smallest set that was seen to have the property.
    pub(super) best: FixedBitSet,
}

impl Evidence {
    pub(super) fn new(count: usize, config: ReductionConfig) -> Result<Self, Error> {
        config.check(count)?;
        let noise = config.confidence.map(|confidence| {
            let rates = Rates::rare(config.flake_rate, config.false_pass_rate);
            let rates = rates.map_err(|fault| Error::invalid(fault.argument, fault.value, fault.expected))?;
            Ok::<_, Error>(Noise::new(rates, confidence, count))
        });
        let mut verdicts = Verdicts::new(config.monotone, noise.transpose()?);
        verdicts.key(ChangeSet::all(count));
        let requirements = Requirements::of(&config, count);
        let sought = Sought::new(config.signature.clone());
        let mut evidence = Evidence {
            count,
            config,
            requirements,
            verdicts,
            sought,
            early: Vec::new(),
            best: FixedBitSet::with_capacity(count),
        };
        evidence.forget();
        Ok(evidence)
    }

    /// Forgets all that was seen.
    pub(super) fn forget(&mut self) {
        self.verdicts.forget();
        self.sought.forget();
        self.early.clear();
        self.best = self.all();
    }

    /// All items.
    pub(super) fn all(&self) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.count);
        all.insert_range(..);
        all
    }

    /// A set as bits.
    pub(super) fn bits(&self, key: Key) -> FixedBitSet {
        {
            let mut bits = FixedBitSet::with_capacity(self.count);
            let words = self.verdicts.set(key).words();
            bits.as_mut_slice()[..words.len()].copy_from_slice(words);
            bits
        }
    }

    pub(super) fn key_of(&mut self, set: &FixedBitSet) -> Key {
        self.verdicts.key(ChangeSet::of_words(set.as_slice()))
    }

    pub(super) fn target(&self, key: Key) -> Target {
        self.verdicts.set(key).clone().into()
    }

    /// The key of a set that somebody names.
    pub(super) fn key(&mut self, target: &Target) -> Result<Key, Error> {
        match target {
            Target { revision: None, changes: Some(changes) } if changes.end() <= self.count => {
                Ok(self.verdicts.key(changes.clone()))
            }
            other => {
                let expected = format!("a set of changes with indices below {}", self.count);
                Err(Error::InvalidArgument { argument: "changes".into(), value: other.to_string(), expected })
            }
        }
    }

    pub(super) fn known(&self, set: &FixedBitSet) -> Option<Verdict> {
        self.verdicts.verdict(set)
    }

    /// The keys of sets that nobody answered, not even before it was known which failure is meant.
    pub(super) fn unanswered(&mut self, sets: &[FixedBitSet]) -> Vec<Key> {
        let keys: Vec<Key> = sets.iter().map(|set| self.key_of(set)).collect();
        keys.into_iter().filter(|key| self.early.iter().all(|(early, _)| early != key)).collect()
    }

    /// Takes an answer into account; says what it settles now.
    pub(super) fn absorb(&mut self, key: Key, observation: &Observation) -> Option<Verdict> {
        if self.config.keep == Outcome::Fail && self.verdicts.of(FULL).is_none() {
            if key != FULL {
                self.early.push((key, observation.clone()));
                return None;
            }
            self.sought.learns_from(observation);
        }
        let verdict = self.judge(key, observation)?;
        if key == FULL {
            for (key, observation) in std::mem::take(&mut self.early) {
                self.judge(key, &observation);
            }
        }
        Some(verdict)
    }

    fn judge(&mut self, key: Key, observation: &Observation) -> Option<Verdict> {
        let runs = match self.config.keep {
            Outcome::Fail => {
                let Tally { passes, fails } = self.sought.tally(observation);
                Tally { passes: fails, fails: passes }
            }
            _ => Tally::from(observation),
        };
        let verdict = self.verdicts.learn(key, runs)?;
        if verdict == Verdict::Holds {
            let set = self.bits(key);
            if set.count_ones(..) < self.best.count_ones(..) {
                self.best = set;
            }
        }
        Some(verdict)
    }

    /// Equal for reductions of as many items; what they are is the caller's.
    pub(super) fn fingerprint(&self) -> String {
        format!("{} items", self.count)
    }

    pub(super) fn contradiction(&self, key: Key, first: String, second: String) -> Error {
        Error::NonDeterministic { changes: self.target(key).to_string(), first, second }
    }
}
