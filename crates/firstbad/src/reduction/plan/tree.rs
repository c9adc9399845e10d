//! The plan for a tree: level by level from the top, then the later passes (IDD, Section 3.4: files, hunks, lines).

use fixedbitset::FixedBitSet;

use super::interface::Plan;
use crate::reduction::config::ReductionConfig;
use crate::reduction::requirements::Requirements;
use crate::reduction::tested_sets::TestedSets;
use crate::reduction::tree::Tree;
use crate::reduction::units::Units;

#[derive(Debug)]
pub(super) struct TreePlan {
    passes: Vec<Units>,
    first: usize,
}

impl TreePlan {
    pub(super) fn new(tested: &TestedSets) -> Self {
        let (order, tree) = (Order::of(tested), tree_of(&tested.config));
        let mut passes = order.levels(tree.as_ref(), tested.config.depth);
        let first = passes.len();
        passes.extend(later(&tested.config, tree.as_ref()).map(|pass| order.in_pass(&pass, tree.as_ref())));
        TreePlan { passes, first }
    }
}

impl Plan for TreePlan {
    fn passes(&self) -> &[Units] {
        &self.passes
    }

    fn first(&self) -> usize {
        self.first
    }
}

pub(super) fn tree_of(config: &ReductionConfig) -> Option<Tree<'_>> {
    config.parents.as_deref().and_then(|parents| Tree::of(parents).ok())
}

/// Returns the items of each later pass, without those below the depth limit.
pub(super) fn later<'a>(
    config: &'a ReductionConfig,
    tree: Option<&'a Tree<'a>>,
) -> impl Iterator<Item = Vec<usize>> + 'a {
    let is_deep = move |item: usize| tree.zip(config.depth).is_some_and(|(tree, depth)| tree.depth_of(item) >= depth);
    let passes = config.later.iter().flatten();
    passes
        .map(move |pass| pass.iter().copied().filter(|&item| !is_deep(item)).collect::<Vec<_>>())
        .filter(|pass| !pass.is_empty())
}

/// Returns the smallest removable parts: items, groups of items that need each other, and branches at the depth limit.
pub(in crate::reduction) fn leaves(
    config: &ReductionConfig,
    requirements: Option<&Requirements>,
    count: usize,
) -> Units {
    let Some((parents, depth)) = config.parents.as_ref().zip(config.depth) else {
        let rank = |item: usize| requirements.map_or(item as u32, |requirements| requirements.ranks()[item]);
        return Units::labelled(&(0..count).map(|item| Some(rank(item))).collect::<Vec<_>>());
    };
    let nodes = Tree::of(parents).map_or_else(|_| (0..count).collect(), |tree| tree.at_most(depth));
    // Order them by their newest items.
    let mut newest = vec![0; parents.len()];
    (0..count).for_each(|item| newest[nodes[item]] = item as u32);
    Units::labelled(&nodes[..count].iter().map(|&node| Some(newest[node])).collect::<Vec<_>>())
}

/// The order in which units are tried: newer ones first, and units that others need last.
pub(super) struct Order<'a> {
    requirements: Option<&'a Requirements>,
    /// Items that are not units until the later passes.
    is_later: FixedBitSet,
    count: usize,
}

impl<'a> Order<'a> {
    pub(super) fn of(tested: &'a TestedSets) -> Self {
        let count = tested.count();
        let mut is_later = FixedBitSet::with_capacity(count);
        is_later.extend(tested.config.later.iter().flatten().flatten().copied());
        Order { requirements: tested.requirements.as_deref(), is_later, count }
    }

    fn rank(&self, item: usize) -> u32 {
        self.requirements.map_or(item as u32, |requirements| requirements.ranks()[item])
    }

    /// Makes a unit of each item, or of items that need each other.
    pub(super) fn alone(&self) -> Units {
        if self.requirements.is_none() && self.is_later.is_clear() {
            return Units::singles(self.count);
        }
        let label = |item: usize| (!self.is_later.contains(item)).then(|| self.rank(item));
        Units::labelled(&(0..self.count).map(label).collect::<Vec<_>>())
    }

    /// Returns the passes of one round: the levels of the tree, or one pass over all items.
    pub(super) fn levels(&self, tree: Option<&Tree<'_>>, depth: Option<usize>) -> Vec<Units> {
        tree.map_or_else(|| vec![self.alone()], |tree| self.in_tree(tree, depth))
    }

    /// Returns the branches of the tree, level by level.
    fn in_tree(&self, tree: &Tree<'_>, depth: Option<usize>) -> Vec<Units> {
        let depth = tree.levels(self.count).min(depth.unwrap_or(usize::MAX));
        let mut levels: Vec<Units> = Vec::new();
        let mut below: Vec<Option<u32>> = Vec::new();
        for mut nodes in tree.upwards(self.count, depth) {
            // Order branches by their newest items.
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

    /// Returns the items of a pass, each with everything below it. If one item is below another, only the upper one is a
    /// unit.
    pub(super) fn in_pass(&self, pass: &[usize], tree: Option<&Tree<'_>>) -> Units {
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
