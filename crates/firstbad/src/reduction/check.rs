//! What a result is held against before it is given: it without one of its units.

use fixedbitset::FixedBitSet;

use super::levels::{Levels, around, rows, ties};
use super::pass::Pass;
use super::tested_sets::TestedSets;
use super::units::Units;

/// What a result is held against, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// It without a block of the tree, at this level: one that was needed before may go once others did. Then what comes later is
    /// gone through, or, at the end, the other parts.
    Blocks { level: usize, is_end: bool },
    /// Without the lines around a block.
    Around,
    /// Without one of the smallest parts.
    Leaves,
}

impl Part {
    /// What it is held against next. There are blocks at so many levels.
    pub(super) fn next(self, levels: usize) -> Option<Part> {
        match self {
            Part::Blocks { level, is_end } if level + 1 < levels => Some(Part::Blocks { level: level + 1, is_end }),
            Part::Blocks { is_end, .. } => is_end.then_some(Part::Around),
            Part::Around => Some(Part::Leaves),
            Part::Leaves => None,
        }
    }
}

/// A result that is to be held against itself without one unit.
pub(super) struct Check<'a> {
    pub(super) tested: &'a TestedSets,
    pub(super) levels: &'a Levels,
    pub(super) leaves: &'a Units,
    pub(super) current: &'a FixedBitSet,
}

impl Check<'_> {
    /// The sets with one unit less, at most so many.
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

    /// Which lines of a text that are left seem to go together.
    fn ties(&self) -> Vec<(usize, usize)> {
        self.tested.config.guess.as_ref().map_or_else(Vec::new, |guess| ties(guess, self.current))
    }

    /// Those of them that are around no block of which a piece is the frame, for that one is tried without it.
    fn unframed(&self) -> Vec<(usize, usize)> {
        let TestedSets { config, .. } = &self.tested;
        let frames = config.guess.iter().flat_map(|guess| &guess.frames);
        let heads: Vec<usize> = frames.filter_map(|&frame| *config.parents.as_ref()?.get(frame)?).collect();
        let mut ties = self.ties();
        ties.retain(|(first, _)| heads.binary_search(first).is_err());
        ties
    }

    /// The lines of a text that are left, in rows: what brackets and indentation do not tell to belong together is mostly next to
    /// each other. None where what belongs to what is known, or no set hides what smaller ones show.
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
