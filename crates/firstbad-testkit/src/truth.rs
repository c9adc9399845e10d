//! Facts that follow from all outcomes.

use std::collections::VecDeque;

use firstbad::CommitGraph;
use firstbad::graph::Node;

use crate::replay::Case;

/// Returns the number of edges on a shortest path from each revision to `leaf`, or `None` if there is no path.
#[must_use]
pub fn distances_to(graph: &CommitGraph, leaf: Node) -> Vec<Option<u32>> {
    let mut distances = vec![None; graph.len()];
    distances[leaf as usize] = Some(0);
    let mut queue = VecDeque::from([(leaf, 0)]);
    while let Some((node, distance)) = queue.pop_front() {
        for &parent in graph.parents(node) {
            if distances[parent as usize].is_none() {
                distances[parent as usize] = Some(distance + 1);
                queue.push_back((parent, distance + 1));
            }
        }
    }
    distances
}

/// Returns the initial suspects of a bisection: the leaves and their ancestors, except the ancestors of good revisions.
#[must_use]
pub fn suspects(case: &Case) -> Vec<Node> {
    let mut suspects = case.graph.ancestors(&case.leaves);
    for good in case.graph.ancestors(&case.goods).ones() {
        suspects.set(good, false);
    }
    suspects.ones().map(|node| node as Node).collect()
}
