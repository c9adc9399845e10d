//! The visit traits of petgraph. An edge leads from a revision to a parent.

use std::iter::Copied;
use std::ops::Range;
use std::slice::Iter;

use fixedbitset::FixedBitSet;
use petgraph::visit::{
    GraphBase, GraphProp, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, NodeCompactIndexable, NodeCount,
    NodeIndexable, Visitable,
};
use petgraph::{Directed, Direction};

use super::{CommitGraph, Node};

impl GraphBase for CommitGraph {
    type NodeId = Node;
    /// A revision and its parent.
    type EdgeId = (Node, Node);
}

impl GraphProp for CommitGraph {
    type EdgeType = Directed;
}

impl NodeCount for CommitGraph {
    fn node_count(&self) -> usize {
        self.len()
    }
}

impl NodeIndexable for CommitGraph {
    fn node_bound(&self) -> usize {
        self.len()
    }

    fn to_index(&self, node: Node) -> usize {
        node as usize
    }

    fn from_index(&self, index: usize) -> Node {
        Node::try_from(index).unwrap_or(Node::MAX)
    }
}

impl NodeCompactIndexable for CommitGraph {}

impl Visitable for CommitGraph {
    type Map = FixedBitSet;

    fn visit_map(&self) -> FixedBitSet {
        self.none()
    }

    fn reset_map(&self, map: &mut FixedBitSet) {
        map.clear();
        map.grow(self.len());
    }
}

impl IntoNodeIdentifiers for &CommitGraph {
    type NodeIdentifiers = Range<Node>;

    fn node_identifiers(self) -> Range<Node> {
        0..self.len() as Node
    }
}

impl<'a> IntoNeighbors for &'a CommitGraph {
    type Neighbors = Copied<Iter<'a, Node>>;

    /// Returns the parents of a revision.
    fn neighbors(self, node: Node) -> Self::Neighbors {
        self.parents(node).iter().copied()
    }
}

impl<'a> IntoNeighborsDirected for &'a CommitGraph {
    type NeighborsDirected = Copied<Iter<'a, Node>>;

    /// Returns the parents of a revision (outgoing), or its children (incoming).
    fn neighbors_directed(self, node: Node, direction: Direction) -> Self::NeighborsDirected {
        match direction {
            Direction::Outgoing => self.parents(node).iter().copied(),
            Direction::Incoming => self.children(node).iter().copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use petgraph::algo::{dominators, has_path_connecting, toposort};
    use petgraph::visit::{Bfs, Reversed, Walker};

    use super::*;

    /// A merge `m` of `a` and `b`, both from `r`, and an unrelated root `s`.
    fn graph() -> CommitGraph {
        let parents = [("m", vec!["a", "b"]), ("a", vec!["r"]), ("b", vec!["r"]), ("r", vec![]), ("s", vec![])];
        CommitGraph::new(parents).unwrap()
    }

    #[test]
    fn petgraph_walks_from_revisions_to_their_parents() {
        let graph = graph();
        let node = |id: &str| graph.get(id).unwrap();
        let before =
            |id: &str| Bfs::new(&graph, node(id)).iter(&graph).map(|node| node as usize).collect::<FixedBitSet>();
        for id in ["m", "a", "r", "s"] {
            let reached = before(id);
            assert_eq!(reached.ones().collect::<Vec<_>>(), graph.ancestors(&[node(id)]).ones().collect::<Vec<_>>());
        }
        let after: Vec<Node> = Bfs::new(Reversed(&graph), node("r")).iter(Reversed(&graph)).collect();
        assert_eq!(after.len(), 4);
        assert!(has_path_connecting(&graph, node("m"), node("r"), None));
        assert!(!has_path_connecting(&graph, node("r"), node("m"), None));
    }

    #[test]
    fn petgraph_sorts_revisions_and_finds_dominators() {
        let graph = graph();
        let node = |id: &str| graph.get(id).unwrap();
        let order = toposort(&graph, None).unwrap();
        let place = |id: &str| order.iter().position(|&other| other == node(id)).unwrap();
        assert_eq!(order.len(), graph.node_count());
        assert!(place("m") < place("a") && place("m") < place("b") && place("b") < place("r"));
        let found = dominators::simple_fast(&graph, node("m"));
        assert_eq!(found.immediate_dominator(node("r")), Some(node("m")));
        assert_eq!(graph.from_index(graph.to_index(node("b"))), node("b"));
    }
}
