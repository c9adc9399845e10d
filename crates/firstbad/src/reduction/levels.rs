//! The levels of a tree, from the top: what is taken away as one at each (IDD, Section 3.4: files, hunks, lines).

use fixedbitset::FixedBitSet;

use super::config::{Guarantee, Guess, ReductionConfig};
use super::requirements::Requirements;
use super::tree::Tree;
use super::units::Units;

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
    Levels { units, first, alone }
}

/// Each line by itself, with what is in it.
fn lines_alone(guess: &Guess, tree: &Tree<'_>, firm: Option<&Requirements>, count: usize) -> Units {
    let rank = |line: usize| firm.map_or(line as u32, |firm| firm.ranks()[line]);
    let mut labels: Vec<Option<u32>> =
        tree.nearest(|node| node < guess.lines)[..count].iter().map(|line| line.map(rank)).collect();
    guess.frames.iter().for_each(|&frame| labels[frame] = None);
    Units::labelled(&labels)
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
        order.sort_by_key(|&item| (self.rank(item), item));
        let mut number = vec![0; self.count];
        order.iter().enumerate().for_each(|(place, &item)| number[item] = place as u32);
        Units::labelled(&top.iter().map(|top| top.map(|item| number[item])).collect::<Vec<_>>())
    }
}
