//! Searches on the DAG itself: every answer rules out ancestors, or everything else.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::blocks::Blocks;
use super::evidence::View;
use super::halving;
use crate::graph::{AncestorSums, CommitGraph, Node, flood};
use crate::observation::Outcome;

/// How to choose the next revision among the suspects.
#[derive(Debug, Clone)]
pub(super) enum DagKind {
    /// The one that `git bisect` would test, unresolved ones skipped as git does.
    Git,
    /// The one whose ancestors hold closest to half of the prior mass, out of the reach of unresolved blocks.
    Mass(Prior),
}

/// How likely each suspect is the culprit, before anything is asked.
#[derive(Debug, Clone)]
pub(super) enum Prior {
    /// All alike, but merges less.
    Uniform,
    /// Members in ascending order, with a weight each.
    Weights(Arc<(Vec<Node>, Vec<f64>)>),
}

impl Prior {
    /// Half of the mass spread evenly, half by one over the rank, counted from the newest suspect.
    pub(super) fn recent(suspects: &FixedBitSet) -> Self {
        let members: Vec<Node> = suspects.ones().map(|node| node as Node).collect();
        let count = members.len();
        let harmonic: f64 = (1..=count).map(|rank| 1.0 / rank as f64).sum();
        let weight = |rank: usize| 0.5 / count as f64 + 0.5 / (rank as f64 * harmonic);
        let weights = (0..count).map(|place| weight(count - place)).collect();
        Prior::Weights(Arc::new((members, weights)))
    }

    /// The same mass for each distance from `bad`, shared by the suspects at that distance.
    pub(super) fn near(graph: &CommitGraph, suspects: &FixedBitSet, bad: Node) -> Self {
        let members: Vec<Node> = suspects.ones().map(|node| node as Node).collect();
        let mut at_distance = Vec::new();
        let mut level = vec![bad];
        let mut met = graph.none();
        let mut distance = vec![0u32; graph.len()];
        met.insert(bad as usize);
        while !level.is_empty() {
            let mut next = Vec::new();
            let mut count = 0u32;
            for &node in &level {
                distance[node as usize] = at_distance.len() as u32;
                count += u32::from(suspects.contains(node as usize));
                for &parent in graph.parents(node) {
                    if !met.put(parent as usize) {
                        next.push(parent);
                    }
                }
            }
            at_distance.push(count);
            level = next;
        }
        let weight = |node: &Node| {
            let level = distance[*node as usize] as usize;
            share(graph, *node) / f64::from(at_distance[level])
        };
        let weights = members.iter().map(weight).collect();
        Prior::Weights(Arc::new((members, weights)))
    }

    fn of(&self, graph: &CommitGraph, suspects: &FixedBitSet) -> Vec<f64> {
        match self {
            Prior::Uniform => suspects.ones().map(|node| share(graph, node as Node)).collect(),
            Prior::Weights(prior) => {
                let (members, weights) = &**prior;
                let mut place = 0;
                let mut weight = |node: usize| {
                    while members.get(place).is_some_and(|&member| (member as usize) < node) {
                        place += 1;
                    }
                    weights.get(place).copied().unwrap_or(0.0)
                };
                suspects.ones().map(&mut weight).collect()
            }
        }
    }
}

/// A merge is seldom the culprit: what it breaks, its parents hold already.
const MERGE: f64 = 0.2;

fn share(graph: &CommitGraph, node: Node) -> f64 {
    if graph.parents(node).len() > 1 { MERGE } else { 1.0 }
}

/// What a DAG search wants.
pub(super) enum DagStep {
    /// The outcome of a revision, which fails with this probability if the prior holds.
    Ask { node: Node, fail_chance: f64 },
    /// Nothing more: `bad` fails, and each other suspect is unresolved or taken to be.
    Done,
}

/// A search for the culprit among the ancestors of a failing revision.
#[derive(Debug, Clone)]
pub(super) struct DagSearch {
    kind: DagKind,
    bad: Node,
    suspects: FixedBitSet,
    unresolved: Vec<Node>,
    seen: usize,
    chosen: Option<(Node, f64)>,
}

impl DagSearch {
    pub(super) fn new(kind: DagKind, bad: Node, suspects: FixedBitSet) -> Self {
        DagSearch { kind, bad, suspects, unresolved: Vec::new(), seen: 0, chosen: None }
    }

    pub(super) fn bad(&self) -> Node {
        self.bad
    }

    pub(super) fn next(&mut self, graph: &CommitGraph, view: View<'_>) -> DagStep {
        let news = view.since(self.seen).filter(|entry| self.suspects.contains(entry.0 as usize));
        let mut news: Vec<(Node, Outcome)> = news.filter(|entry| entry.0 != self.bad).collect();
        // Passing ones first, then the oldest failing one: most of the others are no suspects after that.
        news.sort_unstable_by_key(|&(node, outcome)| (outcome != Outcome::Pass, node));
        for (node, outcome) in news {
            if !self.suspects.contains(node as usize) {
                continue;
            }
            self.chosen = None;
            match outcome {
                Outcome::Pass => {
                    let cleared = self.within(graph, node);
                    self.suspects.difference_with(&cleared);
                }
                Outcome::Fail => {
                    self.suspects = self.within(graph, node);
                    self.bad = node;
                }
                Outcome::Unresolved => self.unresolved.push(node),
            }
        }
        self.seen = view.len();
        if self.chosen.is_none() {
            self.chosen = match &self.kind {
                // git goes by its rule for skips from the first one on, wherever that was.
                DagKind::Git => halving::choose(graph, &self.suspects, self.bad, &self.unresolved),
                DagKind::Mass(prior) => self.halve(graph, prior),
            };
        }
        match self.chosen {
            Some((node, fail_chance)) => DagStep::Ask { node, fail_chance },
            None => DagStep::Done,
        }
    }

    /// The suspects among `node` and its ancestors. Between suspects there are only suspects, so they are enough to
    /// walk on.
    fn within(&self, graph: &CommitGraph, node: Node) -> FixedBitSet {
        let mut set = graph.none();
        flood(&mut set, node, |node| graph.parents(node), |node| self.suspects.contains(node as usize));
        set
    }

    fn halve(&self, graph: &CommitGraph, prior: &Prior) -> Option<(Node, f64)> {
        let weights = prior.of(graph, &self.suspects);
        let total: f64 = weights.iter().sum();
        let sums = AncestorSums::new(graph, &self.suspects, &weights);
        let mut tested = self.unresolved.clone();
        tested.sort_unstable();
        let is_tested = |node: usize| tested.binary_search(&(node as Node)).is_ok();
        let places = self.suspects.ones().enumerate().filter(|&(_, node)| is_tested(node));
        let blocks = Blocks::new(&places.map(|(place, _)| place).collect::<Vec<_>>());
        let mut best = None;
        for (place, (node, sum)) in sums.iter().enumerate() {
            if node == self.bad {
                continue;
            }
            let mut score = sum.min(total - sum);
            if !blocks.is_empty() {
                score *= blocks.chance(place);
            }
            // The oldest of equals.
            if score > 0.0 && best.is_none_or(|(best, _, _)| score > best) {
                best = Some((score, node, sum / total));
            }
        }
        best.map(|(_, node, fail_chance)| (node, fail_chance))
    }
}
