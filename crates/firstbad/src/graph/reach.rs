use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

use super::{CommitGraph, Node};

/// Adds `from` and every node that is reachable through admitted neighbors that are not in the set yet.
pub(crate) fn flood<'a>(
    set: &mut FixedBitSet,
    from: Node,
    neighbours: impl Fn(Node) -> &'a [Node],
    admits: impl Fn(Node) -> bool,
) {
    let mut stack = vec![from];
    while let Some(mut node) = stack.pop() {
        // Most revisions have one neighbor, which needs no stack.
        while !set.put(node as usize) {
            let mut next = neighbours(node).iter().copied().filter(|&other| admits(other));
            let Some(first) = next.next() else { break };
            stack.extend(next);
            node = first;
        }
    }
}

impl CommitGraph {
    /// Returns `tips` and all their ancestors. Takes O(V + E).
    #[must_use]
    pub fn ancestors(&self, tips: &[Node]) -> FixedBitSet {
        let mut set = self.none();
        for &tip in tips {
            flood(&mut set, tip, |node| self.parents(node), |_| true);
        }
        set
    }

    /// Returns `from` and all their descendants. Takes O(V + E).
    #[must_use]
    pub fn descendants(&self, from: &[Node]) -> FixedBitSet {
        let mut set = self.none();
        for &from in from {
            flood(&mut set, from, |node| self.children(node), |_| true);
        }
        set
    }

    /// Returns `tips` and their ancestors from `oldest` on in topological order. Older revisions are not visited.
    pub(crate) fn ancestors_down_to(&self, oldest: Node, tips: &[Node]) -> FixedBitSet {
        let mut set = self.none();
        for &tip in tips.iter().filter(|&&tip| tip >= oldest) {
            flood(&mut set, tip, |node| self.parents(node), |node| node >= oldest);
        }
        set
    }

    /// Returns `from` and its descendants up to `newest` in topological order. Newer revisions are not visited.
    pub(crate) fn descendants_up_to(&self, newest: Node, from: Node) -> FixedBitSet {
        let mut set = self.none();
        if from <= newest {
            flood(&mut set, from, |node| self.children(node), |node| node <= newest);
        }
        set
    }

    /// Returns an empty set with room for every revision.
    #[must_use]
    pub fn none(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.len())
    }

    /// Returns whether `ancestor` is `revision` or one of its ancestors, as in `git merge-base --is-ancestor`.
    #[must_use]
    pub fn is_ancestor(&self, ancestor: Node, revision: Node) -> bool {
        self.distance(ancestor, revision).is_some()
    }

    /// Returns the number of links on a shortest path from `ancestor` to `revision`, or `None` if there is no path.
    #[must_use]
    pub fn distance(&self, ancestor: Node, revision: Node) -> Option<u32> {
        // Indices are topological, so revisions below the ancestor's index cannot lead to it.
        if ancestor > revision {
            return None;
        }
        let mut seen: hashbrown::HashSet<Node> = hashbrown::HashSet::new();
        seen.insert(revision);
        let mut queue = VecDeque::from([(revision, 0)]);
        while let Some((node, distance)) = queue.pop_front() {
            if node == ancestor {
                return Some(distance);
            }
            for &parent in self.parents(node) {
                if parent >= ancestor && seen.insert(parent) {
                    queue.push_back((parent, distance + 1));
                }
            }
        }
        None
    }
}

/// The shortest distances from a growing set of sources to every revision, along links to children (RPA, Algorithms 4 and 5).
///
/// The paper keeps a V x L table. One number per revision is enough, because new sources only lower it.
#[derive(Debug, Clone)]
pub struct Distances {
    edges: Vec<u32>,
}

impl Distances {
    const UNREACHED: u32 = u32::MAX;

    /// Computes the distances from `sources`. Takes O(V + E).
    #[must_use]
    pub fn from(graph: &CommitGraph, sources: &[Node]) -> Self {
        let mut distances = Distances { edges: vec![Self::UNREACHED; graph.len()] };
        distances.add(graph, sources);
        distances
    }

    /// Adds sources and lowers distances (Algorithm 5 for all revisions at once).
    pub fn add(&mut self, graph: &CommitGraph, sources: &[Node]) {
        let mut queue = VecDeque::new();
        for &source in sources {
            if self.edges[source as usize] != 0 {
                self.edges[source as usize] = 0;
                queue.push_back(source);
            }
        }
        while let Some(node) = queue.pop_front() {
            let next = self.edges[node as usize] + 1;
            for &child in graph.children(node) {
                if next < self.edges[child as usize] {
                    self.edges[child as usize] = next;
                    queue.push_back(child);
                }
            }
        }
    }

    /// Returns the distance to the nearest source, or `None` if no source is an ancestor.
    #[must_use]
    pub fn to(&self, node: Node) -> Option<u32> {
        let edges = self.edges[node as usize];
        (edges != Self::UNREACHED).then_some(edges)
    }

    /// Returns a shortest path from the nearest source to `node`, source first. At each step, the path takes the first possible
    /// parent. The path is empty if no source is an ancestor.
    #[must_use]
    pub fn path(&self, graph: &CommitGraph, node: Node) -> Vec<Node> {
        let Some(mut left) = self.to(node) else { return Vec::new() };
        let mut path = vec![node];
        let mut at = node;
        while left > 0 {
            left -= 1;
            let Some(&parent) = graph.parents(at).iter().find(|&&parent| self.to(parent) == Some(left)) else { break };
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_stop_at_their_bounds() -> Result<(), crate::Error> {
        let ids: Vec<String> = (0..1000).map(|place| place.to_string()).collect();
        let graph = CommitGraph::linear(ids)?;
        let visited = |set: &FixedBitSet| set.ones().collect::<Vec<_>>();
        assert_eq!(visited(&graph.ancestors_down_to(996, &[998, 3])), [996, 997, 998]);
        assert_eq!(visited(&graph.descendants_up_to(4, 2)), [2, 3, 4]);
        assert!(graph.descendants_up_to(1, 2).is_clear());
        Ok(())
    }
}
