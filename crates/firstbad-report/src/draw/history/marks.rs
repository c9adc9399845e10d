//! What is marked in a picture of a history.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Find;
use firstbad::graph::{CommitGraph, Node};
use firstbad::search::Outcome;
use fixedbitset::FixedBitSet;

/// A history of so few commits is shown whole.
const WHOLE: usize = 24;
/// How many ends are shown by themselves.
const ENDS: usize = 24;

/// What was seen at a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) outcome: Outcome,
    /// The number of the run, from 1; `None` if it was known before, or there were several.
    pub(crate) run: Option<u64>,
}

/// A change from one outcome to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    /// `None` if nothing before the newer commit was seen to be otherwise.
    pub(crate) older: Option<Node>,
    pub(crate) newer: Node,
    /// Its place among all causes, those of which no edge is known included.
    pub(crate) cause: usize,
}

/// What is marked in a history.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks<'a> {
    pub(crate) seen: BTreeMap<Node, Seen>,
    /// The commits with a different failure than the one searched for.
    pub(crate) others: BTreeSet<Node>,
    /// The edges that were found.
    pub(crate) edges: Vec<Edge>,
    /// How many causes there are; where several, they are called A, B, C.
    pub(crate) causes: usize,
    /// Whether a fold can hold commits that were run.
    pub(crate) hides_runs: bool,
    /// Commits that may be to blame and cannot be told apart.
    pub(crate) suspects: Vec<Node>,
    /// Commits that are being tested.
    pub(crate) running: Vec<Node>,
    pub(crate) find: Find,
    /// The newer ends; all leaves if there are none.
    pub(crate) tips: Vec<Node>,
    /// The older ends: what comes before all of them is left out.
    pub(crate) bases: Vec<Node>,
    /// What the ends are called, where the graph does not know it.
    pub(crate) names: BTreeMap<Node, &'a str>,
    /// The first lines of commit messages.
    pub(crate) subjects: BTreeMap<Node, &'a str>,
}

impl Marks<'_> {
    /// The newer ends, the trunk's first.
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

    /// The commits that are shown, folded or not.
    pub(crate) fn shown(&self, graph: &CommitGraph) -> FixedBitSet {
        let mut shown = graph.ancestors(&self.tips(graph));
        if self.bases.is_empty() {
            return shown;
        }
        let mut hidden = graph.ancestors(&self.bases);
        self.bases.iter().for_each(|&base| hidden.set(base as usize, false));
        let edges = self.edges.iter().flat_map(|edge| edge.older.into_iter().chain([edge.newer]));
        let marked = self.seen.keys().copied().chain(edges).chain(self.suspects.iter().copied());
        // What was looked at before an older end is part of the answer.
        if !marked.into_iter().any(|node| hidden.contains(node as usize)) {
            shown.difference_with(&hidden);
        }
        shown
    }

    /// The commits that are shown by themselves, the most important first.
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
        // Only what is shown, and each once.
        wanted.retain(|&node| {
            new.contains(node as usize) && {
                new.set(node as usize, false);
                true
            }
        });
        wanted
    }
}
