//! ddmin, the minimizing delta debugging algorithm (Zeller and Hildebrandt 2002; IDD, Section 3.2).
//!
//! ```text
//!     ddmin(c) = ddmin2(c, 2)
//!
//!     ddmin2(c, n) =
//!         ddmin2(delta_i, 2)                    if delta_i holds for some i           reduce to subset
//!         ddmin2(c - delta_i, max(n - 1, 2))    if c - delta_i holds for some i       reduce to complement
//!         ddmin2(c, min(|c|, 2n))               if n < |c|                            increase granularity
//!         c                                     otherwise                             done
//!
//!     where delta_1, ..., delta_n cut c into n parts, as evenly as possible
//! ```
//!
//! The parts are tried from the newest to the oldest. This implementation also tries to remove a single unit.

use std::ops::Range;

use fixedbitset::FixedBitSet;

use super::steps::Steps;
use super::verdicts::Verdict;

/// The step within one granularity. Parts are counted from the newest.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    Subset(usize),
    Complement(usize),
    /// One unit is left, and the empty set is tested.
    WithoutAll,
    Done,
}

#[derive(Debug, Clone)]
pub(super) struct Ddmin {
    c: Vec<u32>,
    kept: FixedBitSet,
    n: usize,
    phase: Phase,
}

impl Ddmin {
    pub(super) fn new(kept: &FixedBitSet) -> Self {
        let mut ddmin = Ddmin { c: Vec::new(), kept: kept.clone(), n: 2, phase: Phase::Done };
        ddmin.ddmin2(kept, 2);
        ddmin
    }

    /// Starts ddmin2(c, n).
    fn ddmin2(&mut self, kept: &FixedBitSet, n: usize) {
        self.kept.clone_from(kept);
        self.c = kept.ones().map(|unit| unit as u32).collect();
        self.n = n.min(self.c.len());
        self.phase = match self.c.len() {
            0 => Phase::Done,
            1 => Phase::WithoutAll,
            _ => Phase::Subset(0),
        };
    }

    /// Returns delta_i, counted from the newest.
    fn delta(&self, i: usize) -> &[u32] {
        &self.c[cut(self.c.len(), self.n, self.n - 1 - i)]
    }
}

/// Returns the range of part `part` of `len` items that are cut into `parts` parts as evenly as possible.
pub(super) fn cut(len: usize, parts: usize, part: usize) -> Range<usize> {
    part * len / parts..(part + 1) * len / parts
}

impl Steps for Ddmin {
    const LITERAL: bool = true;

    fn next(&self) -> Option<FixedBitSet> {
        let mut wanted = FixedBitSet::with_capacity(self.kept.len());
        match self.phase {
            Phase::Subset(i) => self.delta(i).iter().for_each(|&unit| wanted.insert(unit as usize)),
            Phase::Complement(i) => {
                wanted.clone_from(&self.kept);
                self.delta(i).iter().for_each(|&unit| wanted.remove(unit as usize));
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
            Phase::Subset(_) if holds => self.ddmin2(kept, 2),
            Phase::Subset(i) if i + 1 < self.n => self.phase = Phase::Subset(i + 1),
            // With two parts the complements are the subsets.
            Phase::Subset(_) if self.n > 2 => self.phase = Phase::Complement(0),
            // Reduce to complement.
            Phase::Complement(_) if holds => self.ddmin2(kept, (self.n - 1).max(2)),
            Phase::Complement(i) if i + 1 < self.n => self.phase = Phase::Complement(i + 1),
            // Increase granularity.
            Phase::Subset(_) | Phase::Complement(_) if self.n < self.c.len() => {
                self.n = (2 * self.n).min(self.c.len());
                self.phase = Phase::Subset(0);
            }
            Phase::WithoutAll if holds => self.ddmin2(kept, 2),
            _ => self.phase = Phase::Done,
        }
    }

    fn kept(&self) -> &FixedBitSet {
        &self.kept
    }
}
