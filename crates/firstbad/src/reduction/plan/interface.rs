use std::fmt::Debug;
use std::panic::RefUnwindSafe;

use fixedbitset::FixedBitSet;

use crate::reduction::pass::Pass;
use crate::reduction::tested_sets::TestedSets;
use crate::reduction::units::Units;

/// The passes of a reduction, their order, and the check of the result.
pub(in crate::reduction) trait Plan: Debug + Send + Sync + RefUnwindSafe {
    /// Returns the units that each pass removes, coarsest first. There is at least one pass.
    fn passes(&self) -> &[Units];

    /// Returns the number of passes in one round. The later passes follow one by one.
    fn first(&self) -> usize {
        self.passes().len()
    }

    /// Returns whether the items are a flat list, in which separately removable items can usually be removed together.
    fn is_flat(&self) -> bool {
        self.passes().len() == 1
    }

    /// Returns whether items can stay without the items that they are only guessed to need.
    fn ignores_guesses(&self, _: At) -> bool {
        false
    }

    /// Adds the units of a pass that other passes showed to be needed.
    fn fix(&self, _pass: usize, _fixed: &mut [FixedBitSet], _current: &FixedBitSet) {}

    /// Returns the check to do once the first `reach` passes change nothing, before the next pass.
    fn check_after(&self, _reach: usize) -> Option<Part> {
        None
    }

    /// Returns the first part of the final check.
    fn last_check(&self) -> Part {
        Part::Leaves
    }

    /// Returns the part of a check that follows another part.
    fn next_part(&self, _: Part) -> Option<Part> {
        None
    }

    /// Creates a pass over at most `most` sets that lack one unit of this part of the result.
    fn check(&self, _: Part, most: usize, left: Left<'_>) -> Pass {
        Pass::singles(left.leaves, left.current, most, Vec::new())
    }

    /// Returns the step after a check that removed a unit.
    fn after_find(&self, _: Part) -> Then {
        Then::Distrust
    }
}

#[derive(Debug, Clone, Copy)]
pub(in crate::reduction) enum At {
    Pass(usize),
    Check(Part),
}

/// The units that a check removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::reduction) enum Part {
    /// The blocks of one level of the tree. A block can become removable when other blocks are removed. With `is_end`, the
    /// other parts follow. Otherwise, the later passes follow.
    Blocks { level: usize, is_end: bool },
    /// The lines around each block.
    Around,
    /// The smallest units.
    Leaves,
}

impl Part {
    /// Returns whether the check comes before the later passes.
    pub(in crate::reduction) fn is_early(self) -> bool {
        matches!(self, Part::Blocks { is_end: false, .. })
    }
}

/// A result and its units.
#[derive(Clone, Copy)]
pub(in crate::reduction) struct Left<'a> {
    pub(in crate::reduction) tested: &'a TestedSets,
    pub(in crate::reduction) leaves: &'a Units,
    pub(in crate::reduction) current: &'a FixedBitSet,
}

/// The step after a check that removed a unit.
#[derive(Debug, Clone, Copy)]
pub(in crate::reduction) enum Then {
    /// All passes again. From then on, only tested sets count.
    Distrust,
    /// All passes again, with no unit counting as needed.
    Round,
    /// Another check.
    Check(Part),
}
