//! The check of a result: every set with one unit less must lose the property.

use fixedbitset::FixedBitSet;

use super::levels::{Levels, around, rows, ties};
use super::pass::Pass;
use super::tested_sets::TestedSets;
use super::units::Units;

/// The units that the check removes, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The blocks of one level of the tree. A block can become superfluous when other blocks are removed. With `is_end`, the
    /// other parts follow; otherwise, the later passes do.
    Blocks { level: usize, is_end: bool },
    /// The lines around each block.
    Around,
    /// The smallest units.
    Leaves,
}

impl Part {
    /// Returns the next part in a tree with `levels` levels of blocks.
    pub(super) fn next(self, levels: usize) -> Option<Part> {
        match self {
            Part::Blocks { level, is_end } if level + 1 < levels => Some(Part::Blocks { level: level + 1, is_end }),
            Part::Blocks { is_end, .. } => is_end.then_some(Part::Around),
            Part::Around => Some(Part::Leaves),
            Part::Leaves => None,
        }
    }
}

/// A result and the units that it consists of.
pub(super) struct Check<'a> {
    pub(super) tested: &'a TestedSets,
    pub(super) levels: &'a Levels,
    pub(super) leaves: &'a Units,
    pub(super) current: &'a FixedBitSet,
}

impl Check<'_> {
    /// Returns a pass over at most `most` sets with one unit less.
    pub(super) fn pass(&self, part: Part, most: usize) -> Pass {
        let rows = if part == Part::Leaves && most == usize::MAX { self.rows() } else { Vec::new() };
        let around;
        let units = match part {
            Part::Blocks { level, .. } => &self.levels.units[level],
            Part::Around => {
                around = self::around(&self.unframed(), self.current.len());
                &around
            }
            Part::Leaves => self.leaves,
        };
        Pass::singles(units, self.current, most, rows)
    }

    /// Returns the pairs of remaining lines that seem to belong together.
    fn ties(&self) -> Vec<(usize, usize)> {
        self.tested.config.guess.as_ref().map_or_else(Vec::new, |guess| ties(guess, self.current))
    }

    /// Returns the ties that do not surround a block with a frame, because frames are tried as pieces.
    fn unframed(&self) -> Vec<(usize, usize)> {
        let TestedSets { config, .. } = &self.tested;
        let frames = config.guess.iter().flat_map(|guess| &guess.frames);
        let heads: Vec<usize> = frames.filter_map(|&frame| *config.parents.as_ref()?.get(frame)?).collect();
        let mut ties = self.ties();
        ties.retain(|(first, _)| heads.binary_search(first).is_err());
        ties
    }

    /// Returns the remaining lines of a text in rows, because related lines are mostly next to each other. Returns no rows
    /// if the structure is known, or if the property is monotone.
    fn rows(&self) -> Vec<Vec<usize>> {
        let TestedSets { config, .. } = &self.tested;
        let lines = config.guess.as_ref().filter(|_| !config.monotone).map_or(0, |guess| guess.lines);
        let left = self.current.ones().take_while(|&item| item < lines).collect();
        let units = |row: Vec<usize>| {
            let mut units: Vec<usize> = row.into_iter().filter_map(|line| self.leaves.unit_of(line)).collect();
            units.dedup();
            units
        };
        rows(left, &self.ties()).into_iter().map(units).collect()
    }
}
