//! Marks in the picture of a history.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Find;
use firstbad::graph::{CommitGraph, Node};
use firstbad::search::Outcome;
use fixedbitset::FixedBitSet;

/// The largest history that is shown without folds.
const WHOLE: usize = 24;
/// The largest number of tips outside of folds.
const ENDS: usize = 24;

/// The outcome of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) outcome: Outcome,
    /// The number of the run, from 1, if exactly one run gave the outcome.
    pub(crate) run: Option<u64>,
}

/// A change of the outcome between two commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    /// `None` if no earlier commit has another outcome.
    pub(crate) older: Option<Node>,
    pub(crate) newer: Node,
    /// The index among all causes, including causes without an edge.
    pub(crate) cause: usize,
}

/// The marks of a history.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks<'a> {
    pub(crate) seen: BTreeMap<Node, Seen>,
    /// The commits with a different failure.
    pub(crate) others: BTreeSet<Node>,
    pub(crate) edges: Vec<Edge>,
    /// The number of causes. Several causes are named A, B, C.
    pub(crate) causes: usize,
    /// Whether a fold can hold commits that were run.
    pub(crate) hides_runs: bool,
    /// The candidates of an ambiguous result.
    pub(crate) suspects: Vec<Node>,
    pub(crate) running: Vec<Node>,
    pub(crate) find: Find,
    /// The bad revisions, or all leaves if there are none.
    pub(crate) tips: Vec<Node>,
    /// The good revisions. Their common ancestors are omitted.
    pub(crate) bases: Vec<Node>,
    /// Names of endpoints that the graph does not have.
    pub(crate) names: BTreeMap<Node, &'a str>,
    pub(crate) subjects: BTreeMap<Node, &'a str>,
}

impl Marks<'_> {
    /// Returns the tips, the tip of the trunk first.
    pub(super) fn tips(&self, graph: &CommitGraph) -> Vec<Node> {
        if !self.tips.is_empty() {
            return self.tips.clone();
        }
        let is_trunk =
            |&tip: &Node| graph.names(tip).iter().any(|name| matches!(*name, "main" | "master" | "trunk" | "develop"));
        let mut tips: Vec<Node> = graph.leaves().collect();
        tips.reverse();
        tips.sort_by_key(|tip| !is_trunk(tip));
        tips
    }

    /// Returns all commits of the picture, including folded commits.
    pub(crate) fn shown(&self, graph: &CommitGraph) -> FixedBitSet {
        let mut shown = graph.ancestors(&self.tips(graph));
        if self.bases.is_empty() {
            return shown;
        }
        let mut hidden = graph.ancestors(&self.bases);
        self.bases.iter().for_each(|&base| hidden.set(base as usize, false));
        let edges = self.edges.iter().flat_map(|edge| edge.older.into_iter().chain([edge.newer]));
        let marked = self.seen.keys().copied().chain(edges).chain(self.suspects.iter().copied());
        // Outcomes of ancestors of a good revision are part of the result.
        if !marked.into_iter().any(|node| hidden.contains(node as usize)) {
            shown.difference_with(&hidden);
        }
        shown
    }

    /// Returns the commits outside of folds, the most important first.
    pub(super) fn kept(&self, graph: &CommitGraph, shown: &FixedBitSet) -> Vec<Node> {
        let tips = self.tips(graph);
        let sources = shown
            .ones()
            .map(|node| node as Node)
            .filter(|&node| graph.parents(node).iter().all(|&parent| !shown.contains(parent as usize)));
        let mut runs: Vec<(Option<u64>, Node)> = self.seen.iter().map(|(&node, seen)| (seen.run, node)).collect();
        runs.sort_unstable_by(|one, other| other.cmp(one));
        let mut wanted: Vec<Node> = Vec::new();
        for edge in &self.edges {
            wanted.push(edge.newer);
            wanted.extend(edge.older);
            wanted.extend(graph.parents(edge.newer));
        }
        wanted.extend(&self.running);
        wanted.extend(self.suspects.iter().take(ENDS));
        wanted.extend(tips.iter().take(ENDS));
        wanted.extend(self.bases.iter().take(ENDS));
        if self.bases.is_empty() {
            wanted.extend(sources.take(ENDS));
        }
        wanted.extend(runs.into_iter().map(|(_, node)| node));
        if shown.count_ones(..) <= WHOLE {
            wanted.extend(shown.ones().map(|node| node as Node));
        }
        let mut new = shown.clone();
        // Remove duplicates and commits that are not in the picture.
        wanted.retain(|&node| {
            new.contains(node as usize) && {
                new.set(node as usize, false);
                true
            }
        });
        wanted
    }
}
