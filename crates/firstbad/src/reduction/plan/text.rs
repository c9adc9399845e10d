//! The plan for a text: levels by guessed dependencies, a check of the blocks, then single lines.
//!
//! The dependencies and the blocks are guesses, so the last passes and the last check rely on test outcomes alone.

use std::collections::{BTreeMap, HashSet};

use fixedbitset::FixedBitSet;

use super::interface::{At, Left, Part, Plan, Then};
use super::tree::{Order, later, tree_of};
use crate::graph::components;
use crate::items::needs::Need;
use crate::reduction::config::{Guarantee, Guess};
use crate::reduction::pass::Pass;
use crate::reduction::requirements::Requirements;
use crate::reduction::tested_sets::TestedSets;
use crate::reduction::tree::Tree;
use crate::reduction::units::Units;

#[derive(Debug)]
pub(super) struct TextPlan {
    passes: Vec<Units>,
    first: usize,
    /// The pass over single lines, which ignores guessed dependencies.
    alone: Option<usize>,
    /// Whether the lines form a complete tree, and the property need not be monotonic.
    has_blocks: bool,
    /// Whether the smallest pieces are whole lines.
    is_of_lines: bool,
}

impl TextPlan {
    pub(super) fn new(tested: &TestedSets, guess: &Guess) -> Self {
        let (config, count) = (&tested.config, tested.count());
        let (order, tree) = (Order::of(tested), tree_of(config));
        let mut passes = order.levels(tree.as_ref(), config.depth);
        let first = passes.len();
        let is_wanted = config.guarantee == Guarantee::OneMinimal && config.depth.is_none();
        let lines = tree.as_ref().filter(|_| is_wanted);
        let mut lines = lines.map(|tree| lines_alone(guess, tree, tested.firm.as_deref(), count));
        // If no line begins a block, single lines come before the parts of lines, because fewer parts are left then.
        // Otherwise, a single line can seldom be removed.
        let is_early = |item: usize| guess.frames.is_empty() && item >= guess.lines;
        let mut alone = None;
        for pass in later(config, tree.as_ref()) {
            if pass.first().is_some_and(|&item| is_early(item)) && lines.is_some() {
                alone = Some(passes.len());
                passes.extend(lines.take());
            }
            passes.push(order.in_pass(&pass, tree.as_ref()));
        }
        if lines.is_some() {
            alone = Some(passes.len());
            passes.extend(lines);
        }
        let has_blocks = config.parents.is_some() && config.depth.is_none() && !config.monotonic;
        TextPlan { passes, first, alone, has_blocks, is_of_lines: guess.lines == count }
    }
}

impl Plan for TextPlan {
    fn passes(&self) -> &[Units] {
        &self.passes
    }

    fn first(&self) -> usize {
        self.first
    }

    fn ignores_guesses(&self, at: At) -> bool {
        match at {
            At::Pass(pass) => self.alone == Some(pass),
            At::Check(part) => !matches!(part, Part::Blocks { .. }),
        }
    }

    /// A unit that another pass found to be needed and that is one line is also needed here.
    fn fix(&self, pass: usize, fixed: &mut [FixedBitSet], current: &FixedBitSet) {
        if self.alone != Some(pass) {
            return;
        }
        let own = &self.passes[pass];
        let mut found = FixedBitSet::with_capacity(own.len());
        for (units, needed) in self.passes.iter().zip(&*fixed) {
            let lines = needed.ones().filter_map(|unit| {
                let left = units.items_of(unit).filter(|&item| current.contains(item));
                let mut lines = left.filter_map(|item| own.unit_of(item));
                let line = lines.next()?;
                lines.all(|other| other == line).then_some(line)
            });
            lines.for_each(|line| found.insert(line));
        }
        fixed[pass].union_with(&found);
    }

    /// The blocks, before single lines are tried.
    fn check_after(&self, reach: usize) -> Option<Part> {
        let is_due = self.has_blocks && reach == self.alone.unwrap_or(self.passes.len());
        is_due.then_some(Part::Blocks { level: 0, is_end: false })
    }

    fn last_check(&self) -> Part {
        if self.has_blocks { Part::Blocks { level: 0, is_end: true } } else { Part::Leaves }
    }

    fn next_part(&self, part: Part) -> Option<Part> {
        match part {
            Part::Blocks { level, is_end } if level + 1 < self.first => Some(Part::Blocks { level: level + 1, is_end }),
            Part::Blocks { is_end, .. } => is_end.then_some(Part::Around),
            Part::Around => Some(Part::Leaves),
            Part::Leaves => None,
        }
    }

    fn check(&self, part: Part, most: usize, left: Left<'_>) -> Pass {
        let rows = if part == Part::Leaves && most == usize::MAX { left.rows() } else { Vec::new() };
        let around;
        let units = match part {
            Part::Blocks { level, .. } => &self.passes[level],
            Part::Around => {
                around = self::around(&left.unframed(), left.current.len());
                &around
            }
            Part::Leaves => left.leaves,
        };
        Pass::singles(units, left.current, most, rows)
    }

    fn after_find(&self, part: Part) -> Then {
        match part.is_early() {
            true if self.is_of_lines => Then::Round,
            true => Then::Check(Part::Blocks { level: 0, is_end: false }),
            false => Then::Check(self.last_check()),
        }
    }
}

impl Left<'_> {
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
    /// if the structure is known, or if the property is monotonic.
    fn rows(&self) -> Vec<Vec<usize>> {
        let TestedSets { config, .. } = &self.tested;
        let lines = config.guess.as_ref().filter(|_| !config.monotonic).map_or(0, |guess| guess.lines);
        let left = self.current.ones().take_while(|&item| item < lines).collect();
        let units = |row: Vec<usize>| {
            let mut units: Vec<usize> = row.into_iter().filter_map(|line| self.leaves.unit_of(line)).collect();
            units.dedup();
            units
        };
        rows(left, &self.ties()).into_iter().map(units).collect()
    }
}

/// Makes a unit of each line with its parts.
fn lines_alone(guess: &Guess, tree: &Tree<'_>, firm: Option<&Requirements>, count: usize) -> Units {
    let rank = |line: usize| firm.map_or(line as u32, |firm| firm.ranks()[line]);
    let mut labels: Vec<Option<u32>> =
        tree.nearest(|node| node < guess.lines)[..count].iter().map(|line| line.map(rank)).collect();
    guess.frames.iter().for_each(|&frame| labels[frame] = None);
    Units::labelled(&labels)
}

/// Returns the pairs of remaining lines of which one seems to need the other. If the rest of a pair is gone, the line forms
/// a pair with the next such line, which may now be its other end.
fn ties(guess: &Guess, left: &FixedBitSet) -> Vec<(usize, usize)> {
    let guessed = guess.dependencies.iter().flat_map(|(&line, needs)| {
        let needed = needs.iter().filter_map(|need| if let Need::Item(other) = need { Some(*other) } else { None });
        needed.map(move |other| (line.min(other), line.max(other)))
    });
    let is_left = |line: usize| left.contains(line);
    let (mut both, torn): (Vec<_>, Vec<_>) = guessed
        .filter(|&(first, last)| last < guess.lines && (is_left(first) || is_left(last)))
        .partition(|&(first, last)| is_left(first) && is_left(last));
    let tied: HashSet<usize> = both.iter().flat_map(|&(first, last)| [first, last]).collect();
    // The remaining ends, each with whether it is a first line.
    let ends = torn.into_iter().map(|(first, last)| if is_left(first) { (first, true) } else { (last, false) });
    let ends: BTreeMap<usize, bool> = ends.filter(|(line, _)| !tied.contains(line)).collect();
    let mut open = Vec::new();
    for (line, is_first) in ends {
        if is_first {
            open.push(line);
        } else if let Some(first) = open.pop() {
            both.push((first, line));
        }
    }
    both
}

/// Makes units of tied lines: the lines around a block, without its content.
fn around(ties: &[(usize, usize)], count: usize) -> Units {
    let both_ways = ties.iter().flat_map(|&(first, last)| [(first as u32, last as u32), (last as u32, first as u32)]);
    let (group_of, _) = components(count, both_ways);
    let mut labels = vec![None; count];
    ties.iter().flat_map(|&(first, last)| [first, last]).for_each(|line| labels[line] = Some(group_of[line]));
    Units::labelled(&labels)
}

/// Returns rows of lines in which two neighbors may have to go together. Either neither line is tied, or the older one ends
/// a block and the newer one starts another, so that removing both merges the blocks.
fn rows(lines: Vec<usize>, ties: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let firsts: HashSet<usize> = ties.iter().map(|&(first, _)| first).collect();
    let lasts: HashSet<usize> = ties.iter().map(|&(_, last)| last).collect();
    let ends = |line: &usize| (firsts.contains(line), lasts.contains(line));
    let joins = |older: &usize, newer: &usize| matches!((ends(older), ends(newer)), ((false, older), (newer, false)) if older == newer);
    lines.chunk_by(joins).filter(|row| row.len() > 1).map(<[usize]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tied(needs: &[(usize, usize)], left: &[usize]) -> Vec<(usize, usize)> {
        let dependencies = needs.iter().map(|&(line, other)| (line, vec![Need::Item(other)])).collect();
        let guess = Guess { lines: 8, dependencies, ..Guess::default() };
        ties(&guess, &left.iter().copied().collect())
    }

    #[test]
    fn lines_without_a_partner_are_tied_to_the_next_such_line() {
        let needs = [(0, 7), (1, 3), (4, 6)];
        assert_eq!(tied(&needs, &[0, 1, 3, 7]), [(0, 7), (1, 3)]);
        assert_eq!(tied(&needs, &[0, 1, 2, 6, 7]), [(0, 7), (1, 6)]);
        assert_eq!(tied(&needs, &[0, 1, 5, 6]), [(1, 6)], "one is left over");
        assert_eq!(tied(&needs, &[3, 4]), [], "the wrong way round");
    }

    #[test]
    fn rows_contain_untied_lines_or_lines_between_blocks() {
        let ties = [(0, 2), (3, 5)];
        assert_eq!(rows((0..8).collect(), &ties), [vec![2, 3], vec![6, 7]]);
        assert_eq!(rows((0..8).collect(), &[]), [(0..8).collect::<Vec<_>>()]);
    }
}
