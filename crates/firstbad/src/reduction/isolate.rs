//! Isolation with the dd algorithm, as an ask/tell search.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::config::{Guarantee, ReductionConfig};
use super::dd::Dd;
use super::futures::Looking;
use super::message;
use super::plan::leaves;
use super::report::IsolateReport;
use super::steps::Sequence;
use super::tested_sets::TestedSets;
use super::units::Units;
use super::verdicts::{FULL, Verdict};
use crate::error::Error;
use crate::search::{Algorithm, Items, Key, Ledger, Observation, Reading, Status};

/// The number of assumptions for each set that a lookahead finds.
const EFFORT: usize = 8;

/// A search for the minimal difference between a set that has a property and one that lacks it.
#[derive(Debug)]
pub struct Isolate {
    tested: TestedSets,
    units: Units,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Tests whether all items together have the property.
    Full,
    /// All items together lack the property.
    Refuted(Verdict),
    Narrowing(Box<Sequence<Dd>>),
}

impl Isolate {
    fn begin(&self) -> Box<Sequence<Dd>> {
        let all = self.tested.all();
        let mut sequence = Sequence::new(self.units.clone(), &all, Dd::new(&self.units.touched_by(all.clone())));
        self.settle(&mut sequence);
        Box::new(sequence)
    }

    fn settle(&self, sequence: &mut Sequence<Dd>) {
        sequence.settle(&|set: &FixedBitSet| self.tested.known(set), self.tested.requirements.as_deref());
    }
}

impl Algorithm for Isolate {
    type Config = ReductionConfig;
    type Report = IsolateReport;
    type Space = Items;

    const NAME: &'static str = "isolate";

    fn new(items: usize, config: ReductionConfig) -> Result<Self, Error> {
        let tested = TestedSets::new(items, config)?;
        let units = leaves(&tested.config, tested.requirements.as_deref(), items);
        Ok(Isolate { tested, units, stage: Stage::Full })
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
        match std::mem::replace(&mut self.stage, Stage::Full) {
            Stage::Full if key == FULL => {
                self.stage = match verdict {
                    Verdict::Holds => Stage::Narrowing(self.begin()),
                    refuted => Stage::Refuted(refuted),
                };
            }
            Stage::Narrowing(mut sequence) => {
                self.settle(&mut sequence);
                self.stage = Stage::Narrowing(sequence);
            }
            other => self.stage = other,
        }
        Reading::Stands
    }

    fn is_other_failure(&self, observation: &Observation) -> bool {
        self.tested.is_other_failure(observation)
    }

    fn reset(&mut self) {
        self.tested.forget();
        self.stage = Stage::Full;
    }

    fn begin_rereading(&mut self) {
        self.tested.forget_verdicts();
        self.stage = Stage::Full;
    }

    fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key> {
        let flying: Vec<FixedBitSet> = in_flight.iter().map(|&key| self.tested.bits(key)).collect();
        let known = |set: &FixedBitSet| self.tested.known(set);
        let requirements = self.tested.requirements.as_deref();
        let mut found = Vec::new();
        let sets = match &self.stage {
            Stage::Full => {
                if !in_flight.contains(&FULL) {
                    found.push(FULL);
                }
                match want - found.len() {
                    0 => Vec::new(),
                    left => self.begin().choose(&Looking::beside(&flying, left, EFFORT), &known, requirements),
                }
            }
            Stage::Narrowing(sequence) => {
                sequence.choose(&Looking::beside(&flying, want, EFFORT), &known, requirements)
            }
            Stage::Refuted(_) => Vec::new(),
        };
        found.extend(self.tested.unanswered(&sets));
        found
    }

    fn wants(&self, in_flight: &[Key]) -> Vec<bool> {
        let sequence = match &self.stage {
            Stage::Full => return vec![true; in_flight.len()],
            Stage::Refuted(_) => return vec![false; in_flight.len()],
            Stage::Narrowing(sequence) => sequence,
        };
        let known = |set: &FixedBitSet| self.tested.known(set);
        let looking = Looking::again(in_flight.len(), EFFORT);
        let ahead = sequence.choose(&looking, &known, self.tested.requirements.as_deref());
        in_flight.iter().map(|&key| ahead.contains(&self.tested.bits(key))).collect()
    }

    fn status(&self) -> Status {
        match &self.stage {
            Stage::Refuted(_) => Status::NotReproduced,
            Stage::Narrowing(sequence) if sequence.steps.baseless.is_some() => Status::NotReproduced,
            Stage::Narrowing(sequence) if sequence.next().is_none() => Status::Found,
            _ => Status::Running,
        }
    }

    fn best(report: &IsolateReport, _: &mut dyn FnMut(&str) -> String) -> Vec<String> {
        message::best(&report.message, &report.observations)
    }

    fn report(&self, status: Status, ledger: &Ledger) -> IsolateReport {
        let refuted = match self.stage {
            Stage::Refuted(verdict) => Some(verdict),
            _ => None,
        };
        let (holding, lacking) = match &self.stage {
            Stage::Narrowing(sequence) => {
                let mut lacking = FixedBitSet::with_capacity(self.tested.count());
                for unit in sequence.steps.lacking.ones() {
                    self.units.items_of(unit).for_each(|item| lacking.insert(item));
                }
                (sequence.kept(), lacking)
            }
            _ => (self.tested.all(), FixedBitSet::with_capacity(self.tested.count())),
        };
        let without = match &self.stage {
            Stage::Narrowing(sequence) => sequence.steps.baseless,
            _ => None,
        };
        let guarantee = if status == Status::Found { Guarantee::OneMinimal } else { Guarantee::BestSoFar };
        let difference: Vec<usize> = holding.difference(&lacking).collect();
        IsolateReport {
            warnings: Vec::new(),
            status,
            message: message::isolated(
                status,
                self.tested.config.keep,
                (difference.len(), self.tested.count()),
                refuted,
                without,
            ),
            kept: holding.ones().collect(),
            lacking: lacking.ones().collect(),
            difference,
            guarantee,
            asked: ledger.asked(),
            runs: ledger.runs(),
            observations: ledger.observations(&*self.tested.items),
        }
    }
}
