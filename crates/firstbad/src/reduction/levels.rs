//! The levels of a tree, from the top: what is taken away as one at each (IDD, Section 3.4: files, hunks, lines).

use std::collections::{BTreeMap, HashSet};

use fixedbitset::FixedBitSet;

use super::config::{Guarantee, Guess, ReductionConfig};
use super::requirements::Requirements;
use super::tree::Tree;
use super::units::Units;
use crate::graph::components;
use crate::items::needs::Need;

/// The smallest parts that are kept or dropped by themselves: items, those that need each other as one, and the branches
/// at the depth at which the tree is left alone.
pub(super) fn leaves(config: &ReductionConfig, requirements: Option<&Requirements>, count: usize) -> Units {
    let Some((parents, depth)) = config.parents.as_ref().zip(config.depth) else {
        let rank = |item: usize| requirements.map_or(item as u32, |requirements| requirements.ranks()[item]);
        return Units::labelled(&(0..count).map(|item| Some(rank(item))).collect::<Vec<_>>());
    };
    let nodes = Tree::of(parents).map_or_else(|_| (0..count).collect(), |tree| tree.at_most(depth));
    // In the order of their newest items.
    let mut newest = vec![0; parents.len()];
    (0..count).for_each(|item| newest[nodes[item]] = item as u32);
    Units::labelled(&nodes[..count].iter().map(|&node| Some(newest[node])).collect::<Vec<_>>())
}

/// What is tried one after the other, coarsest first.
#[derive(Debug)]
pub(super) struct Levels {
    /// The units of each level of the tree, of which there is at least one, and then those of the later passes.
    pub(super) units: Vec<Units>,
    /// How many of them are levels of the tree.
    pub(super) first: usize,
    /// Which of them is that of single lines, whatever they seem to need.
    pub(super) alone: Option<usize>,
    /// How many of them, from the first on, go by what lines seem to need.
    pub(super) by_guess: usize,
}

/// The units of each level of the tree, and of the passes that come later.
pub(super) fn levels(
    config: &ReductionConfig,
    requirements: Option<&Requirements>,
    firm: Option<&Requirements>,
    count: usize,
) -> Levels {
    let mut is_later = FixedBitSet::with_capacity(count);
    is_later.extend(config.later.iter().flatten().flatten().copied());
    let order = Order { requirements, is_later, count };
    let tree = config.parents.as_deref().and_then(|parents| Tree::of(parents).ok());
    let mut units = match &tree {
        Some(tree) => order.in_tree(tree, config.depth),
        None => vec![order.alone()],
    };
    let first = units.len();
    let mut alone = None;
    let guess = config.guess.as_ref().filter(|_| config.guarantee == Guarantee::OneMinimal && config.depth.is_none());
    let singles = guess.zip(tree.as_ref()).map(|(guess, tree)| lines_alone(guess, tree, firm, count));
    // Where no line begins a block, before what is in lines: there is less of it then. Else a line seldom goes alone.
    let is_early = |item: usize| guess.is_some_and(|guess| guess.frames.is_empty() && item >= guess.lines);
    for pass in config.later.iter().flatten() {
        let is_deep =
            |item: usize| tree.as_ref().zip(config.depth).is_some_and(|(tree, depth)| tree.depth_of(item) >= depth);
        let pass: Vec<usize> = pass.iter().copied().filter(|&item| !is_deep(item)).collect();
        if alone.is_none() && pass.first().is_some_and(|&item| is_early(item)) {
            alone = singles.is_some().then_some(units.len());
            units.extend(singles.clone());
        }
        if !pass.is_empty() {
            units.push(order.in_pass(&pass, tree.as_ref()));
        }
    }
    if alone.is_none() && singles.is_some() {
        alone = Some(units.len());
        units.extend(singles);
    }
    let by_guess = alone.unwrap_or(units.len());
    Levels { units, first, alone, by_guess }
}

/// Each line by itself, with what is in it.
fn lines_alone(guess: &Guess, tree: &Tree<'_>, firm: Option<&Requirements>, count: usize) -> Units {
    let rank = |line: usize| firm.map_or(line as u32, |firm| firm.ranks()[line]);
    let mut labels: Vec<Option<u32>> =
        tree.nearest(|node| node < guess.lines)[..count].iter().map(|line| line.map(rank)).collect();
    guess.frames.iter().for_each(|&frame| labels[frame] = None);
    Units::labelled(&labels)
}

/// Which lines of those that are left seem to go together, the first one and the last of each two: one of them needs the other.
/// Where such a line is left without the others, it goes with the next one of that kind that may be its other end now.
pub(super) fn ties(guess: &Guess, left: &FixedBitSet) -> Vec<(usize, usize)> {
    let guessed = guess.dependencies.iter().flat_map(|(&line, needs)| {
        let needed = needs.iter().filter_map(|need| if let Need::Item(other) = need { Some(*other) } else { None });
        needed.map(move |other| (line.min(other), line.max(other)))
    });
    let is_left = |line: usize| left.contains(line);
    let (mut both, torn): (Vec<_>, Vec<_>) = guessed
        .filter(|&(first, last)| last < guess.lines && (is_left(first) || is_left(last)))
        .partition(|&(first, last)| is_left(first) && is_left(last));
    let tied: HashSet<usize> = both.iter().flat_map(|&(first, last)| [first, last]).collect();
    // The ends that are left, and whether each is a first line.
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

/// Lines that are tied, as one: what stands around a block, without what is in it.
pub(super) fn around(ties: &[(usize, usize)], count: usize) -> Units {
    let both_ways = ties.iter().flat_map(|&(first, last)| [(first as u32, last as u32), (last as u32, first as u32)]);
    let (group_of, _) = components(count, both_ways);
    let mut labels = vec![None; count];
    ties.iter().flat_map(|&(first, last)| [first, last]).for_each(|line| labels[line] = Some(group_of[line]));
    Units::labelled(&labels)
}

/// Lines in rows, in which each two that are next to each other may have to go together: neither is tied, or the older one
/// ends a block and the newer one begins another, so that without them both are one.
pub(super) fn rows(lines: Vec<usize>, ties: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let firsts: HashSet<usize> = ties.iter().map(|&(first, _)| first).collect();
    let lasts: HashSet<usize> = ties.iter().map(|&(_, last)| last).collect();
    let ends = |line: &usize| (firsts.contains(line), lasts.contains(line));
    let joins = |older: &usize, newer: &usize| matches!((ends(older), ends(newer)), ((false, older), (newer, false)) if older == newer);
    lines.chunk_by(joins).filter(|row| row.len() > 1).map(<[usize]>::to_vec).collect()
}

/// In which order units are tried: those that others need last, newer ones first.
struct Order<'a> {
    requirements: Option<&'a Requirements>,
    /// Items that are no units before the passes.
    is_later: FixedBitSet,
    count: usize,
}

impl Order<'_> {
    fn rank(&self, item: usize) -> u32 {
        self.requirements.map_or(item as u32, |requirements| requirements.ranks()[item])
    }

    /// Items that need each other as one.
    fn alone(&self) -> Units {
        if self.requirements.is_none() && self.is_later.is_clear() {
            return Units::singles(self.count);
        }
        let label = |item: usize| (!self.is_later.contains(item)).then(|| self.rank(item));
        Units::labelled(&(0..self.count).map(label).collect::<Vec<_>>())
    }

    /// The branches of the tree, level by level.
    fn in_tree(&self, tree: &Tree<'_>, depth: Option<usize>) -> Vec<Units> {
        let depth = tree.levels(self.count).min(depth.unwrap_or(usize::MAX));
        let mut levels: Vec<Units> = Vec::new();
        let mut below: Vec<Option<u32>> = Vec::new();
        for mut nodes in tree.upwards(self.count, depth) {
            // Branches in the order of their newest items.
            let mut newest = vec![None; tree.len()];
            for (item, place) in nodes.iter_mut().enumerate() {
                *place = place.filter(|&node| node >= self.count || !self.is_later.contains(node));
                if let Some(node) = place.filter(|_| !self.is_later.contains(item)) {
                    newest[node] = newest[node].max(Some((self.rank(item), item)));
                }
            }
            let mut order: Vec<usize> = (0..tree.len()).filter(|&node| newest[node].is_some()).collect();
            order.sort_by_key(|&node| newest[node]);
            let mut number = vec![0; tree.len()];
            order.iter().enumerate().for_each(|(place, &node)| number[node] = place as u32);
            let labels: Vec<Option<u32>> = nodes.iter().map(|node| node.map(|node| number[node])).collect();
            if below != labels && !order.is_empty() {
                levels.push(Units::labelled(&labels));
                below = labels;
            }
        }
        levels.reverse();
        levels
    }

    /// The items of a pass, each with what is below it; of two, one of which is below the other, that above.
    fn in_pass(&self, pass: &[usize], tree: Option<&Tree<'_>>) -> Units {
        let mut own = FixedBitSet::with_capacity(self.count);
        own.extend(pass.iter().copied());
        let mut top: Vec<Option<usize>> = (0..self.count).map(|item| own.contains(item).then_some(item)).collect();
        if let Some(tree) = tree {
            tree.inherit(&mut top);
        }
        let mut order: Vec<usize> = own.ones().collect();
        order.sort_unstable_by_key(|&item| (self.rank(item), item));
        let mut number = vec![0; self.count];
        order.iter().enumerate().for_each(|(place, &item)| number[item] = place as u32);
        Units::labelled(&top.iter().map(|top| top.map(|item| number[item])).collect::<Vec<_>>())
    }
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
    fn what_lost_its_other_end_is_tied_to_the_next_that_did() {
        let needs = [(0, 7), (1, 3), (4, 6)];
        assert_eq!(tied(&needs, &[0, 1, 3, 7]), [(0, 7), (1, 3)]);
        assert_eq!(tied(&needs, &[0, 1, 2, 6, 7]), [(0, 7), (1, 6)]);
        assert_eq!(tied(&needs, &[0, 1, 5, 6]), [(1, 6)], "one is left over");
        assert_eq!(tied(&needs, &[3, 4]), [], "the wrong way round");
    }

    #[test]
    fn lines_in_a_row_are_tied_to_no_others_or_are_between_blocks() {
        let ties = [(0, 2), (3, 5)];
        assert_eq!(rows((0..8).collect(), &ties), [vec![2, 3], vec![6, 7]]);
        assert_eq!(rows((0..8).collect(), &[]), [(0..8).collect::<Vec<_>>()]);
    }
}
