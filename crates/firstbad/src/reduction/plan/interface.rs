//! The interface of all plans.

use std::fmt::Debug;
use std::panic::RefUnwindSafe;

use fixedbitset::FixedBitSet;

use crate::reduction::pass::Pass;
use crate::reduction::tested_sets::TestedSets;
use crate::reduction::units::Units;

/// Which passes a reduction makes, in which order, and how it checks the result.
pub(in crate::reduction) trait Plan: Debug + Send + Sync + RefUnwindSafe {
    /// The units that each pass takes away, coarsest first. There is at least one pass.
    fn passes(&self) -> &[Units];

    /// How many passes, from the first on, make one round. The later ones follow one by one.
    fn first(&self) -> usize {
        self.passes().len()
    }

    /// Whether the items are a flat list, in which removable items of different places can mostly be removed together.
    fn is_flat(&self) -> bool {
        self.passes().len() == 1
    }

    /// Whether items may stay without other items that they only seem to need.
    fn ignores_guesses(&self, _: At) -> bool {
        false
    }

    /// Adds the units of a pass that other passes showed to be needed.
    fn fix(&self, _pass: usize, _fixed: &mut [FixedBitSet], _current: &FixedBitSet) {}

    /// The check that comes once the first `reach` passes change nothing, and before the next one.
    fn check_after(&self, _reach: usize) -> Option<Part> {
        None
    }

    /// The first part of the check at the end.
    fn last_check(&self) -> Part {
        Part::Leaves
    }

    /// The part of a check that follows another one.
    fn next_part(&self, _: Part) -> Option<Part> {
        None
    }

    /// A pass over at most `most` sets that lack one unit of this part of the result.
    fn check(&self, _: Part, most: usize, left: Left<'_>) -> Pass {
        Pass::singles(left.leaves, left.current, most, Vec::new())
    }

    /// The pass after a check that removed a unit.
    fn after_find(&self, _: Part) -> Then {
        Then::Distrust
    }
}

/// A place in a plan.
#[derive(Debug, Clone, Copy)]
pub(in crate::reduction) enum At {
    Pass(usize),
    Check(Part),
}

/// The units that a check removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::reduction) enum Part {
    /// The blocks of one level of the tree. A block can become superfluous when other blocks are removed. With `is_end`, the
    /// other parts follow; otherwise, the later passes do.
    Blocks { level: usize, is_end: bool },
    /// The lines around each block.
    Around,
    /// The smallest units.
    Leaves,
}

impl Part {
    /// Whether the check comes before the later passes.
    pub(in crate::reduction) fn is_early(self) -> bool {
        matches!(self, Part::Blocks { is_end: false, .. })
    }
}

/// A result and the units that it consists of.
#[derive(Clone, Copy)]
pub(in crate::reduction) struct Left<'a> {
    pub(in crate::reduction) tested: &'a TestedSets,
    pub(in crate::reduction) leaves: &'a Units,
    pub(in crate::reduction) current: &'a FixedBitSet,
}

/// The pass after a check that removed a unit.
#[derive(Debug, Clone, Copy)]
pub(in crate::reduction) enum Then {
    /// The passes again, from the first on. From there on only tested sets count.
    Distrust,
    /// The passes again, and no unit counts as needed.
    Round,
    /// Another check.
    Check(Part),
}
