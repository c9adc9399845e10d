//! Zeller's ddmin (Zeller and Hildebrandt 2002; IDD, Section 3.2): subsets, then complements, then finer ones.

use std::ops::Range;

use fixedbitset::FixedBitSet;

use super::steps::Steps;
use super::verdicts::Verdict;

/// Where it is within one granularity; parts are counted from the newest.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    Subset(usize),
    Complement(usize),
    /// One unit is left: is even that one needed?
    WithoutAll,
    Done,
}

/// ddmin on its way.
#[derive(Debug, Clone)]
pub(super) struct Ddmin {
    /// The units kept, ascending.
    units: Vec<u32>,
    kept: FixedBitSet,
    /// Into how many parts they are cut.
    parts: usize,
    phase: Phase,
}

impl Ddmin {
    pub(super) fn new(kept: &FixedBitSet) -> Self {
        let mut ddmin = Ddmin { units: Vec::new(), kept: kept.clone(), parts: 2, phase: Phase::Done };
        ddmin.restart(kept, 2);
        ddmin
    }

    /// ddmin2(c, n).
    fn restart(&mut self, kept: &FixedBitSet, parts: usize) {
        self.kept.clone_from(kept);
        self.units = kept.ones().map(|unit| unit as u32).collect();
        self.parts = parts.min(self.units.len());
        self.phase = match self.units.len() {
            0 => Phase::Done,
            1 => Phase::WithoutAll,
            _ => Phase::Subset(0),
        };
    }

    /// Part number `part` from the newest.
    fn part(&self, part: usize) -> &[u32] {
        &self.units[cut(self.units.len(), self.parts, self.parts - 1 - part)]
    }
}

/// Where part `part` of `len` things cut into `parts` parts lies, as evenly as can be.
pub(super) fn cut(len: usize, parts: usize, part: usize) -> Range<usize> {
    part * len / parts..(part + 1) * len / parts
}

impl Steps for Ddmin {
    const LITERAL: bool = true;

    fn next(&self) -> Option<FixedBitSet> {
        let mut wanted = FixedBitSet::with_capacity(self.kept.len());
        match self.phase {
            Phase::Subset(part) => self.part(part).iter().for_each(|&unit| wanted.insert(unit as usize)),
            Phase::Complement(part) => {
                wanted.clone_from(&self.kept);
                self.part(part).iter().for_each(|&unit| wanted.remove(unit as usize));
            }
            Phase::WithoutAll => {}
            Phase::Done => return None,
        }
        Some(wanted)
    }

    fn take(&mut self, kept: &FixedBitSet, verdict: Verdict) {
        let holds = verdict == Verdict::Holds;
        match self.phase {
            // Reduce to subset.
            Phase::Subset(_) if holds => self.restart(kept, 2),
            Phase::Subset(part) if part + 1 < self.parts => self.phase = Phase::Subset(part + 1),
            // With two parts the complements are the subsets.
            Phase::Subset(_) if self.parts > 2 => self.phase = Phase::Complement(0),
            // Reduce to complement.
            Phase::Complement(_) if holds => self.restart(kept, (self.parts - 1).max(2)),
            Phase::Complement(part) if part + 1 < self.parts => self.phase = Phase::Complement(part + 1),
            // Increase granularity.
            Phase::Subset(_) | Phase::Complement(_) if self.parts < self.units.len() => {
                self.parts = (2 * self.parts).min(self.units.len());
                self.phase = Phase::Subset(0);
            }
            Phase::WithoutAll if holds => self.restart(kept, 2),
            _ => self.phase = Phase::Done,
        }
    }

    fn kept(&self) -> &FixedBitSet {
        &self.kept
    }
}
