//! Suspects on a line: a list of builds, or a part of the history without merges.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::round::cheaper;
use crate::graph::{CommitGraph, Node};
use crate::regression::costs::Costs;

/// Suspects of which each has the one before it as its only parent. An outcome or a choice costs O(log n), and for sets of
/// suspects a walk over all of them.
#[derive(Debug, Clone)]
pub(super) struct Line {
    members: Arc<[Node]>,
    /// `below[i]` is the prior probability of the first `i` members.
    below: Arc<[f64]>,
    /// The remaining members: `from..to`. The last one fails.
    from: usize,
    to: usize,
}

impl Line {
    /// The suspects as a line, if they are one.
    pub(super) fn of(graph: &CommitGraph, suspects: &FixedBitSet, weights: impl FnOnce() -> Vec<f64>) -> Option<Self> {
        let members: Vec<Node> = suspects.ones().map(|node| node as Node).collect();
        // With merges, a parent outside the line may need its own test.
        if members.windows(2).any(|pair| graph.parents(pair[1]) != [pair[0]]) {
            return None;
        }
        let mut sum = 0.0;
        let mut below = Vec::with_capacity(members.len() + 1);
        below.push(sum);
        below.extend(weights().into_iter().map(|weight| {
            sum += weight;
            sum
        }));
        let to = members.len();
        Some(Line { members: members.into(), below: below.into(), from: 0, to })
    }

    /// The number of remaining members.
    pub(super) fn len(&self) -> usize {
        self.to - self.from
    }

    /// The remaining members, with the cumulative probability before each and of all, from an arbitrary base.
    pub(super) fn left(&self) -> (&[Node], &[f64]) {
        (&self.members[self.from..self.to], &self.below[self.from..=self.to])
    }

    fn place(&self, node: Node) -> Option<usize> {
        self.members[self.from..self.to].binary_search(&node).ok().map(|place| self.from + place)
    }

    pub(super) fn holds(&self, node: Node) -> bool {
        self.place(node).is_some()
    }

    /// Removes `node` and all members before it.
    pub(super) fn pass(&mut self, node: Node) {
        if let Some(place) = self.place(node) {
            self.from = place + 1;
        }
    }

    /// Removes the oldest members that are cleared. Returns whether there were any. Members before a cleared one are also
    /// cleared.
    pub(super) fn clear(&mut self, is_cleared: impl Fn(Node) -> bool) -> bool {
        let count = self.members[self.from..self.to].partition_point(|&node| is_cleared(node));
        self.from += count;
        count > 0
    }

    /// Removes all members after `node`.
    pub(super) fn fail(&mut self, node: Node) {
        if let Some(place) = self.place(node) {
            self.to = place + 1;
        }
    }

    /// The member that splits the probability best for its cost (ties go to the older), and its probability of failing. `None` if
    /// only the failing one is left.
    pub(super) fn half(&self, costs: &Costs) -> Option<(Node, f64)> {
        let last = self.to - 1;
        if self.from >= last {
            return None;
        }
        let mass = |place: usize| self.below[place + 1] - self.below[self.from];
        let total = mass(last);
        let score = |place: usize| mass(place).min(total - mass(place));
        let middle =
            self.below[self.from + 1..last].partition_point(|&sum| 2.0 * (sum - self.below[self.from]) < total);
        let upper = self.from + middle;
        let place = match upper.checked_sub(1) {
            Some(lower) if lower >= self.from && score(lower) >= score(upper) => lower,
            _ => upper,
        };
        let (members, below) = self.left();
        let place = self.from + cheaper(members, below, costs, place - self.from);
        Some((self.members[place], mass(place) / total))
    }

    /// The remaining members as a set.
    pub(super) fn suspects(&self, graph: &CommitGraph) -> FixedBitSet {
        let mut set = graph.none();
        set.extend(self.members[self.from..self.to].iter().map(|&node| node as usize));
        set
    }
}
