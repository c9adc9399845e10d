//! The dd algorithm (Zeller and Hildebrandt 2002, Section 5), which minimizes the difference between two sets.

use fixedbitset::FixedBitSet;

use super::ddmin::cut;
use super::steps::Steps;
use super::verdicts::Verdict;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// The empty set, which must lack the property.
    Nothing,
    /// The smaller set with part i.
    With(usize),
    /// The larger set without part i.
    Without(usize),
    Done,
}

#[derive(Debug, Clone)]
pub(super) struct Dd {
    /// The smaller set, which lacks the property.
    pub(super) lacking: FixedBitSet,
    /// The larger set, which has the property.
    holding: FixedBitSet,
    difference: Vec<u32>,
    parts: usize,
    phase: Phase,
    enlarged: Option<FixedBitSet>,
    reduced: Option<FixedBitSet>,
    /// The verdict of the empty set if it does not lack the property, so that there is nothing to compare with.
    pub(super) baseless: Option<Verdict>,
}

impl Dd {
    pub(super) fn new(all: &FixedBitSet) -> Self {
        Dd {
            lacking: FixedBitSet::with_capacity(all.len()),
            holding: all.clone(),
            difference: Vec::new(),
            parts: 2,
            phase: Phase::Nothing,
            enlarged: None,
            reduced: None,
            baseless: None,
        }
    }

    /// dd2(c_pass, c_fail, n).
    fn restart(&mut self, parts: usize) {
        let mut difference = self.holding.clone();
        difference.difference_with(&self.lacking);
        self.difference = difference.ones().map(|unit| unit as u32).collect();
        self.parts = parts.min(self.difference.len());
        self.enlarged = None;
        self.reduced = None;
        self.phase = if self.difference.len() > 1 { Phase::With(0) } else { Phase::Done };
    }

    fn part(&self, part: usize) -> &[u32] {
        &self.difference[cut(self.difference.len(), self.parts, self.parts - 1 - part)]
    }

    fn finish_round(&mut self) {
        let fewer = (self.parts - 1).max(2);
        if let Some(set) = self.enlarged.take() {
            // Increase to subset.
            self.lacking = set;
            self.restart(fewer);
        } else if let Some(set) = self.reduced.take() {
            // Reduce to complement.
            self.holding = set;
            self.restart(fewer);
        } else if self.parts < self.difference.len() {
            // Increase granularity.
            self.restart(2 * self.parts);
        } else {
            self.phase = Phase::Done;
        }
    }
}

impl Steps for Dd {
    const LITERAL: bool = true;

    fn next(&self) -> Option<FixedBitSet> {
        match self.phase {
            Phase::Nothing => Some(self.lacking.clone()),
            Phase::With(part) => {
                let mut wanted = self.lacking.clone();
                self.part(part).iter().for_each(|&unit| wanted.insert(unit as usize));
                Some(wanted)
            }
            Phase::Without(part) => {
                let mut wanted = self.holding.clone();
                self.part(part).iter().for_each(|&unit| wanted.remove(unit as usize));
                Some(wanted)
            }
            Phase::Done => None,
        }
    }

    fn take(&mut self, kept: &FixedBitSet, verdict: Verdict) {
        let last = |part: usize| part + 1 == self.parts;
        match (self.phase, verdict) {
            (Phase::Nothing, Verdict::Fails) => self.restart(2),
            (Phase::Nothing, verdict) => {
                self.baseless = Some(verdict);
                self.phase = Phase::Done;
            }
            // Reduce to subset.
            (Phase::With(_), Verdict::Holds) => {
                self.holding.clone_from(kept);
                self.restart(2);
            }
            (Phase::With(part), verdict) => {
                if verdict == Verdict::Fails && self.enlarged.is_none() {
                    self.enlarged = Some(kept.clone());
                }
                self.phase = if last(part) { Phase::Without(0) } else { Phase::With(part + 1) };
            }
            // Increase to complement.
            (Phase::Without(_), Verdict::Fails) => {
                self.lacking.clone_from(kept);
                self.restart(2);
            }
            (Phase::Without(part), verdict) => {
                if verdict == Verdict::Holds && self.reduced.is_none() {
                    self.reduced = Some(kept.clone());
                }
                if last(part) {
                    self.finish_round();
                } else {
                    self.phase = Phase::Without(part + 1);
                }
            }
            (Phase::Done, _) => {}
        }
    }

    fn kept(&self) -> &FixedBitSet {
        &self.holding
    }
}
