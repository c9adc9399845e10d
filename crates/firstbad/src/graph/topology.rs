use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;

use super::{CommitGraph, Node};

impl CommitGraph {
    /// Returns `tip` and the ancestors that are reachable through members of `set`, newest first. The order is that of `git
    /// rev-list`: by time, and by the order of the walk among equal times.
    #[must_use]
    pub fn by_date(&self, tip: Node, set: &FixedBitSet) -> Vec<Node> {
        let mut met = self.none();
        let mut waiting = BinaryHeap::new();
        let mut order = Vec::with_capacity(set.count_ones(..));
        let mut count = 0u32;
        if set.contains(tip as usize) {
            met.insert(tip as usize);
            waiting.push((self.time(tip), std::cmp::Reverse(count), tip));
        }
        while let Some((_, _, node)) = waiting.pop() {
            order.push(node);
            for &parent in self.parents(node) {
                if set.contains(parent as usize) && !met.put(parent as usize) {
                    count += 1;
                    waiting.push((self.time(parent), std::cmp::Reverse(count), parent));
                }
            }
        }
        order
    }
}
