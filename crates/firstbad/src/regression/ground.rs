//! The passing revisions that searches start from, and what follows from them (RPA, Algorithms 4 and 5).

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

use super::evidence::View;
use crate::graph::{CommitGraph, Distances, Node, flood};
use crate::search::Outcome;

/// Passing revisions with what they cover (their ancestors), ground (their descendants), and how far away they are.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    /// Roots taken to pass until they are asked; empty where passing revisions were given.
    assumed: Vec<Node>,
    /// How much of the log is taken into account, and how much of it in `distances`.
    seen: usize,
    measured: usize,
    covered: FixedBitSet,
    grounded: FixedBitSet,
    distances: Distances,
}

/// Whether a failing revision has a passing ancestor.
pub(super) enum Footing {
    /// One that passes, or is taken to.
    Grounded,
    /// Not as far as is known: this one should be asked.
    Ask(Node),
    /// None: its roots were all tested, and none passes.
    Virtual,
}

impl Ground {
    pub(super) fn new(graph: &CommitGraph, view: View<'_>, assumed: Vec<Node>) -> Self {
        let sources: Vec<Node> = assumed
            .iter()
            .copied()
            .filter(|&root| matches!(view.outcome(root), None | Some(Outcome::Pass)))
            .chain(view.since(0).filter(|entry| entry.1 == Outcome::Pass).map(|entry| entry.0))
            .collect();
        let passing: Vec<Node> = sources.iter().copied().filter(|&node| view.outcome(node).is_some()).collect();
        Ground {
            covered: graph.ancestors(&passing),
            grounded: graph.descendants(&sources),
            distances: Distances::from(graph, &sources),
            seen: view.len(),
            measured: view.len(),
            assumed: sources.into_iter().filter(|&node| view.outcome(node).is_none()).collect(),
        }
    }

    /// Whether [`Ground::update`] would change anything.
    pub(super) fn is_behind(&self, view: View<'_>) -> bool {
        self.seen < view.len()
    }

    /// Takes the newest outcomes into account. Each revision is covered and grounded once: O(V + E) in all.
    pub(super) fn update(&mut self, graph: &CommitGraph, view: View<'_>) {
        let news: Vec<(Node, Outcome)> = view.since(self.seen).collect();
        self.seen = view.len();
        if news.iter().any(|(node, outcome)| *outcome != Outcome::Pass && self.assumed.contains(node)) {
            *self = Ground::new(graph, view, std::mem::take(&mut self.assumed));
            return;
        }
        for (node, outcome) in news {
            if outcome == Outcome::Pass {
                self.assumed.retain(|&root| root != node);
                flood(&mut self.covered, node, |node| graph.parents(node), |_| true);
                flood(&mut self.grounded, node, |node| graph.children(node), |_| true);
            }
        }
    }

    /// Brings distances up to date (Algorithm 5, for every revision at once).
    pub(super) fn measure(&mut self, graph: &CommitGraph, view: View<'_>) {
        let news: Vec<Node> =
            view.since(self.measured).filter(|entry| entry.1 == Outcome::Pass).map(|entry| entry.0).collect();
        self.measured = view.len();
        self.distances.add(graph, &news);
    }

    pub(super) fn distances(&self) -> &Distances {
        &self.distances
    }

    /// Whether the revision is one that passes or an ancestor of one.
    pub(super) fn covers(&self, node: Node) -> bool {
        self.covered.contains(node as usize)
    }

    /// Whether the revision has a passing ancestor, assumed ones included.
    pub(super) fn is_grounded(&self, node: Node) -> bool {
        self.grounded.contains(node as usize)
    }

    /// Leaves only revisions that have a passing ancestor.
    pub(super) fn keep_grounded(&self, set: &mut FixedBitSet) {
        set.intersect_with(&self.grounded);
    }

    /// The ancestors of `bad`, itself included, that may be culprits: those that no passing revision covers.
    ///
    /// A passing revision that comes after `bad` proves nothing about what led to `bad` and is left out of account.
    pub(super) fn suspects(&self, graph: &CommitGraph, view: View<'_>, bad: Node) -> FixedBitSet {
        // An assumed root is no suspect: it is asked when a point rests on it.
        self.uncovered(graph, view, bad, |node| !self.assumed.contains(&node))
    }

    /// The same with the roots that are only taken to pass.
    pub(super) fn suspects_and_roots(&self, graph: &CommitGraph, view: View<'_>, bad: Node) -> FixedBitSet {
        self.uncovered(graph, view, bad, |_| true)
    }

    fn uncovered(&self, graph: &CommitGraph, view: View<'_>, bad: Node, admits: impl Fn(Node) -> bool) -> FixedBitSet {
        let mut set = graph.none();
        if self.covers(bad) {
            let after = graph.descendants(&[bad]);
            let passing: Vec<Node> = view
                .since(0)
                .filter(|&(node, outcome)| outcome == Outcome::Pass && !after.contains(node as usize))
                .map(|entry| entry.0)
                .collect();
            let covered = graph.ancestors(&passing);
            flood(&mut set, bad, |node| graph.parents(node), |node| !covered.contains(node as usize) && admits(node));
        } else {
            flood(&mut set, bad, |node| graph.parents(node), |node| !self.covers(node) && admits(node));
        }
        set
    }

    /// Whether `bad` has a passing ancestor, or what to ask to find out: first the nearest ancestor that a passing
    /// revision on another branch covers (git's merge base), then the roots, nearest first.
    pub(super) fn footing(&self, graph: &CommitGraph, view: View<'_>, bad: Node) -> Footing {
        if self.is_grounded(bad) {
            return Footing::Grounded;
        }
        let mut met = graph.none();
        let mut queue = VecDeque::from([bad]);
        met.insert(bad as usize);
        let mut root = None;
        let mut base = None;
        while let Some(node) = queue.pop_front() {
            let parents = graph.parents(node);
            if parents.is_empty() && view.outcome(node).is_none() && root.is_none() {
                root = Some(node);
            }
            for &parent in parents {
                if self.covers(parent) && !self.covers(node) && base.is_none() {
                    base = Some(parent);
                }
                if !met.put(parent as usize) {
                    queue.push_back(parent);
                }
            }
        }
        let base = base.filter(|&base| view.outcome(base).is_none());
        base.or(root).map_or(Footing::Virtual, Footing::Ask)
    }

    /// A shortest path from the nearest root up to `bad`.
    pub(super) fn path_from_root(graph: &CommitGraph, bad: Node) -> Vec<Node> {
        let mut above = vec![Node::MAX; bad as usize + 1];
        let mut queue = VecDeque::from([bad]);
        above[bad as usize] = bad;
        while let Some(node) = queue.pop_front() {
            if graph.parents(node).is_empty() {
                let mut path = vec![node];
                let mut at = node;
                while at != bad {
                    at = above[at as usize];
                    path.push(at);
                }
                return path;
            }
            for &parent in graph.parents(node) {
                if above[parent as usize] == Node::MAX {
                    above[parent as usize] = node;
                    queue.push_back(parent);
                }
            }
        }
        vec![bad]
    }
}
