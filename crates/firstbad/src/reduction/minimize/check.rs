//! Checks of a result: it is held against sets with one unit less, in several orders.

use fixedbitset::FixedBitSet;

use super::super::levels::{around, rows, ties};
use super::super::pass::Pass;
use super::super::tested_sets::TestedSets;
use super::{Minimize, Stage};

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

impl Minimize {
    /// Holds what is left against sets with one unit less, at most so many.
    pub(super) fn check(&mut self, most: usize) {
        self.controlled = true;
        let is_all = most == usize::MAX && self.has_blocks();
        self.check_part(if is_all { Part::Blocks { level: 0, is_end: true } } else { Part::Leaves }, most);
    }

    fn check_part(&mut self, part: Part, most: usize) {
        self.part = part;
        let rows = if self.part == Part::Leaves && most == usize::MAX { self.rows() } else { Vec::new() };
        let around;
        let units = match self.part {
            Part::Blocks { level, .. } => &self.levels.units[level],
            Part::Around => {
                around = self::around(&self.unframed(), self.current.len());
                &around
            }
            Part::Leaves => &self.leaves,
        };
        let pass = Pass::singles(units, &self.current, most, rows);
        self.stage = Stage::Checking(Box::new(pass));
    }

    /// Holds what is left against it without each of its blocks, before lines are tried alone.
    pub(super) fn check_blocks(&mut self) {
        self.check_part(Part::Blocks { level: 0, is_end: false }, usize::MAX);
    }

    /// What it is held against next.
    fn next_part(&self) -> Option<Part> {
        match self.part {
            Part::Blocks { level, is_end } if level + 1 < self.levels.first => {
                Some(Part::Blocks { level: level + 1, is_end })
            }
            Part::Blocks { is_end, .. } => is_end.then_some(Part::Around),
            Part::Around => Some(Part::Leaves),
            Part::Leaves => None,
        }
    }

    /// Which lines of a text that are left seem to go together.
    fn ties(&self) -> Vec<(usize, usize)> {
        self.tested.config.guess.as_ref().map_or_else(Vec::new, |guess| ties(guess, &self.current))
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

    pub(super) fn end_check(&mut self, pass: &Pass) {
        self.current = pass.kept();
        let Pass::Singles(sequence) = pass else { return };
        let is_early = matches!(self.part, Part::Blocks { is_end: false, .. });
        if !self.is_best() {
            self.go_on_from_best();
        } else if sequence.steps.found {
            self.tested.stands(&self.current);
            if is_early && self.is_of_lines() {
                // What was needed before need not be so any more.
                self.fixed.iter_mut().for_each(FixedBitSet::clear);
                self.begin_round();
            } else if is_early {
                self.check_blocks();
            } else if self.tested.config.guess.is_some() {
                self.check(usize::MAX);
            } else {
                // Larger steps may be possible again.
                self.distrust();
                self.begin_round();
            }
        } else if let Some(part) = self.next_part() {
            self.check_part(part, usize::MAX);
        } else if is_early {
            self.go_further();
        } else {
            self.finish();
        }
    }
}
