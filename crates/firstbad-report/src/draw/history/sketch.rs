//! Histories of a few commits and folds.

use firstbad::graph::Node;
use fixedbitset::FixedBitSet;

/// A commit or a fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vertex {
    Commit(Node),
    Fold(Fold),
}

/// Several commits that are shown as one vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fold {
    pub(crate) count: usize,
    pub(crate) oldest: Node,
    pub(crate) newest: Node,
}

impl Fold {
    pub(crate) const NONE: Fold = Fold { count: 0, oldest: Node::MAX, newest: 0 };

    pub(crate) fn of(node: Node) -> Fold {
        Fold { count: 1, oldest: node, newest: node }
    }

    pub(crate) fn and(self, other: Fold) -> Fold {
        Fold {
            count: self.count + other.count,
            oldest: self.oldest.min(other.oldest),
            newest: self.newest.max(other.newest),
        }
    }

    /// Returns the vertex, which is a commit if the fold has only one.
    pub(crate) fn vertex(self) -> Vertex {
        if self.count == 1 { Vertex::Commit(self.oldest) } else { Vertex::Fold(self) }
    }
}

/// A line between two vertices, by their indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Whether the line leads to a first parent.
    pub(crate) first: bool,
}

/// An acyclic history of a few vertices, in no particular order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sketch {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) links: Vec<Link>,
}

impl Sketch {
    /// Returns the vertices in topological order, the oldest first.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut waits = vec![0; self.vertices.len()];
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); self.vertices.len()];
        for link in &self.links {
            waits[link.to] += 1;
            out[link.from].push(link.to);
        }
        let mut order: Vec<usize> = (0..waits.len()).filter(|&place| waits[place] == 0).collect();
        let mut next = 0;
        while let Some(&from) = order.get(next) {
            next += 1;
            for &to in &out[from] {
                waits[to] -= 1;
                if waits[to] == 0 {
                    order.push(to);
                }
            }
        }
        order
    }

    /// Removes lines that a longer path replaces, except between two commits.
    pub(super) fn drop_short_cuts(&mut self) {
        let count = self.vertices.len();
        let mut above = vec![FixedBitSet::with_capacity(count); count];
        for to in self.order() {
            for link in self.links.iter().filter(|link| link.to == to) {
                let (mut set, from) = (std::mem::take(&mut above[to]), link.from);
                set.union_with(&above[from]);
                set.insert(from);
                above[to] = set;
            }
        }
        let is_commit = |place: usize| matches!(self.vertices[place], Vertex::Commit(_));
        let is_short_cut = |link: &Link| {
            let mut others = self.links.iter().filter(|other| other.to == link.to && other.from != link.from);
            !(is_commit(link.from) && is_commit(link.to)) && others.any(|other| above[other.from].contains(link.from))
        };
        let kept: Vec<Link> = self.links.iter().filter(|link| !is_short_cut(link)).copied().collect();
        self.links = kept;
    }
}

impl Sketch {
    /// Returns the predecessors and the successors of each vertex.
    pub(crate) fn ends(&self) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let (mut into, mut out) = (vec![Vec::new(); self.vertices.len()], vec![Vec::new(); self.vertices.len()]);
        for link in &self.links {
            into[link.to].push(link.from);
            out[link.from].push(link.to);
        }
        (into, out)
    }
}

impl Vertex {
    pub(crate) fn oldest(self) -> Node {
        match self {
            Vertex::Commit(node) => node,
            Vertex::Fold(fold) => fold.oldest,
        }
    }
}
