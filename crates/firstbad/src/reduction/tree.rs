//! The tree of items, in linear time for each operation.

use super::config::ReductionConfig;
use crate::error::Error;

/// The limit for the number of tree entries times the number of levels. Each such place takes a few bytes.
const MOST_PLACES: usize = 1 << 24;

/// Returns the largest number of levels for a tree with this many entries.
pub(super) fn most_levels(entries: usize) -> usize {
    (MOST_PLACES / entries.max(1)).max(1)
}

/// A tree given by the parent of each node.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    parents: &'a [Option<usize>],
    /// All nodes, each after its parent.
    order: Vec<usize>,
    /// The number of ancestors of each node.
    depths: Vec<usize>,
}

impl<'a> Tree<'a> {
    /// Creates the tree from the parent of each node, or `None` for a root.
    ///
    /// # Errors
    /// Returns the first node that is its own ancestor.
    pub(super) fn of(parents: &'a [Option<usize>]) -> Result<Self, usize> {
        let mut children = vec![0usize; parents.len() + 1];
        parents.iter().flatten().for_each(|&parent| children[parent + 1] += 1);
        for node in 0..parents.len() {
            children[node + 1] += children[node];
        }
        let (mut listed, mut next) = (vec![0; parents.iter().flatten().count()], children.clone());
        for (node, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent {
                listed[next[parent]] = node;
                next[parent] += 1;
            }
        }
        let mut order: Vec<usize> = (0..parents.len()).filter(|&node| parents[node].is_none()).collect();
        let mut depths = vec![usize::MAX; parents.len()];
        let mut at = 0;
        while let Some(&node) = order.get(at) {
            at += 1;
            depths[node] = parents[node].map_or(0, |parent| depths[parent] + 1);
            order.extend(&listed[children[node]..children[node + 1]]);
        }
        match depths.iter().position(|&depth| depth == usize::MAX) {
            Some(node) => Err(node),
            None => Ok(Tree { parents, order, depths }),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn depth_of(&self, node: usize) -> usize {
        self.depths[node]
    }

    /// Passes values from each node to all nodes below it. The uppermost value wins.
    pub(super) fn inherit<T: Clone>(&self, of_items: &mut [Option<T>]) {
        let mut of_groups: Vec<Option<T>> = vec![None; self.parents.len() - of_items.len()];
        for &node in &self.order {
            let Some(parent) = self.parents[node] else { continue };
            let above = of_items.get(parent).or_else(|| of_groups.get(parent - of_items.len())).cloned().flatten();
            if above.is_some() {
                match of_items.get_mut(node) {
                    Some(own) => *own = above,
                    None => of_groups[node - of_items.len()] = above,
                }
            }
        }
    }

    /// Returns the number of levels with any of the first `count` nodes.
    pub(super) fn levels(&self, count: usize) -> usize {
        self.depths[..count].iter().max().map_or(0, |depth| depth + 1)
    }

    /// Returns each node's ancestor on level `depth`, or the node itself if it is not deeper.
    pub(super) fn at_most(&self, depth: usize) -> Vec<usize> {
        let mut found: Vec<usize> = (0..self.parents.len()).collect();
        for &node in &self.order {
            if let Some(parent) = self.parents[node].filter(|_| self.depths[node] >= depth) {
                found[node] = found[parent];
            }
        }
        found
    }

    /// Returns the ancestors of the first `count` nodes on each level, deepest level first. The ancestor of a node above
    /// that level is `None`.
    pub(super) fn upwards(&self, count: usize, levels: usize) -> impl Iterator<Item = Vec<Option<usize>>> + '_ {
        let last = self.at_most(levels.max(1));
        let mut here: Vec<usize> = last[..count].to_vec();
        (0..levels).rev().map(move |level| {
            for node in &mut here {
                if self.depths[*node] > level {
                    *node = self.parents[*node].unwrap_or(*node);
                }
            }
            here.iter().map(|&node| (self.depths[node] == level).then_some(node)).collect()
        })
    }

    /// Returns the nearest wanted ancestor of each node, or the node itself if it is wanted.
    pub(super) fn nearest(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
        let mut nearest = vec![None; self.parents.len()];
        for &node in &self.order {
            let above = self.parents[node].and_then(|parent| nearest[parent]);
            nearest[node] = if is_wanted(node) { Some(node) } else { above };
        }
        nearest
    }

    /// Returns the next item above each of the first `count` nodes, which are the items.
    pub(super) fn items_above(&self, count: usize) -> Vec<Option<usize>> {
        let mut above = vec![None; self.parents.len()];
        for &node in &self.order {
            above[node] =
                self.parents[node].and_then(|parent| if parent < count { Some(parent) } else { above[parent] });
        }
        above.truncate(count);
        above
    }
}

impl ReductionConfig {
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if the parents do not form a tree, or if the tree has too many levels.
    pub(super) fn check_parents(&self, count: usize) -> Result<(), Error> {
        if self.depth == Some(0) {
            return Err(Error::invalid("depth", 0, "at least 1: the level below the root"));
        }
        let Some(parents) = &self.parents else { return Ok(()) };
        if parents.len() < count {
            return Err(Error::invalid("parents", parents.len(), format!("an entry for each of the {count} items")));
        }
        for (node, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent.filter(|&parent| parent >= parents.len()) {
                let expected = format!("an index below {}, the number of entries, or nothing", parents.len());
                return Err(Error::invalid(format!("parents[{node}]"), parent, expected));
            }
        }
        let tree = Tree::of(parents).map_err(|node| {
            let parent = parents[node].unwrap_or_default();
            Error::invalid(format!("parents[{node}]"), parent, "a tree without cycles")
        })?;
        let levels = tree.levels(count).min(self.depth.unwrap_or(usize::MAX));
        let most = most_levels(parents.len());
        if levels > most {
            let given = format!("a tree of {levels} levels and {} entries", parents.len());
            let expected = format!(
                "at most {most} levels for this number of entries\nhelp: set depth to limit the \
                                    levels"
            );
            return Err(Error::invalid_value("parents", given, expected));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(parents: Vec<Option<usize>>, depth: Option<usize>) -> ReductionConfig {
        ReductionConfig { parents: Some(parents), depth, ..ReductionConfig::default() }
    }

    #[test]
    fn a_deep_tree_needs_a_depth_limit() {
        let chain: Vec<_> = (0..16_000_usize).map(|node| node.checked_sub(1)).collect();
        let refused = config(chain.clone(), None).check_parents(16_000).unwrap_err().to_string();
        assert!(
            refused.contains("a tree of 16000 levels and 16000 entries") && refused.contains("at most 1048 levels")
        );
        assert!(config(chain.clone(), Some(1048)).check_parents(16_000).is_ok());
        assert!(config(chain[..4000].to_vec(), None).check_parents(4000).is_ok());
    }

    #[test]
    fn each_level_has_the_ancestors_on_that_level() {
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..50 {
            let nodes = 1 + random(30);
            let parents: Vec<_> = (0..nodes).map(|node| (node > 0 && random(4) > 0).then(|| random(node))).collect();
            let (count, depth) = (1 + random(nodes), 1 + random(5));
            let tree = Tree::of(&parents).unwrap();
            let way = |item: usize| {
                let mut way: Vec<usize> = std::iter::successors(Some(item), |&node| parents[node]).collect();
                way.reverse();
                way
            };
            assert_eq!(tree.levels(count), (0..count).map(|item| way(item).len()).max().unwrap());
            let last = tree.at_most(depth);
            let mut upwards: Vec<_> = tree.upwards(count, depth).collect();
            upwards.reverse();
            for item in 0..count {
                assert_eq!(last[item], way(item).into_iter().take(depth).next_back().unwrap());
                for (level, nodes) in upwards.iter().enumerate() {
                    assert_eq!(nodes[item], way(item).get(level).copied());
                }
                let above = way(item).into_iter().rev().skip(1).find(|&node| node < count);
                assert_eq!(tree.items_above(count)[item], above);
            }
        }
    }

    #[test]
    fn a_cycle_is_reported_by_the_first_node_that_leads_to_it() {
        assert_eq!(Tree::of(&[None, Some(2), Some(3), Some(2)]).unwrap_err(), 1);
        assert_eq!(Tree::of(&[Some(0)]).unwrap_err(), 0);
    }
}
