//! petgraph's visit traits: an edge goes from parent to child, a node's weight is its id.

use fixedbitset::FixedBitSet;
use petgraph::visit::{
    Data, GraphBase, GraphProp, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, NodeCompactIndexable,
    NodeCount, NodeIndexable, Visitable,
};
use petgraph::{Directed, Direction};

use super::{CommitGraph, Node};

impl GraphBase for CommitGraph {
    type NodeId = Node;
    type EdgeId = (Node, Node);
}

impl GraphProp for CommitGraph {
    type EdgeType = Directed;
}

impl Data for CommitGraph {
    type NodeWeight = ();
    type EdgeWeight = ();
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
        index as Node
    }
}

impl NodeCompactIndexable for CommitGraph {}

impl<'a> IntoNeighbors for &'a CommitGraph {
    type Neighbors = std::iter::Copied<std::slice::Iter<'a, Node>>;

    fn neighbors(self, node: Node) -> Self::Neighbors {
        self.children(node).iter().copied()
    }
}

impl<'a> IntoNeighborsDirected for &'a CommitGraph {
    type NeighborsDirected = std::iter::Copied<std::slice::Iter<'a, Node>>;

    fn neighbors_directed(self, node: Node, direction: Direction) -> Self::NeighborsDirected {
        match direction {
            Direction::Outgoing => self.children(node).iter().copied(),
            Direction::Incoming => self.parents(node).iter().copied(),
        }
    }
}

impl IntoNodeIdentifiers for &CommitGraph {
    type NodeIdentifiers = std::ops::Range<Node>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        0..self.len() as Node
    }
}

impl Visitable for CommitGraph {
    type Map = FixedBitSet;

    fn visit_map(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.len())
    }

    fn reset_map(&self, map: &mut FixedBitSet) {
        map.clear();
        map.grow(self.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn petgraph_walks_the_graph() {
        let graph =
            CommitGraph::new([("r", vec![]), ("a", vec!["r"]), ("b", vec!["r"]), ("m", vec!["a", "b"])]).unwrap();
        assert!(petgraph::algo::toposort(&graph, None).is_ok());
        assert!(petgraph::algo::has_path_connecting(&graph, 0, 3, None));
        assert!(!petgraph::algo::has_path_connecting(&graph, 1, 2, None));
    }
}
