//! Searches on the DAG itself: every answer rules out ancestors, or everything else.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::costs::Costs;
use super::decision_tree::{DecisionTree, FEW};
use super::halving;
use super::known_passing::KnownPassing;
use super::line::Line;
use super::outcomes::View;
use super::round::{Suspects, Wanted, on_dag, on_line};
use crate::belief::{Blocks, PriorWeights};
use crate::graph::{AncestorSums, CommitGraph, Node, flood};
use crate::search::Outcome;

/// How to choose the next revision among the suspects.
#[derive(Debug, Clone)]
pub(super) enum DagKind {
    /// The one that `git bisect` would test, unresolved ones skipped as git does.
    Git,
    /// The one whose ancestors hold closest to half of the prior mass, out of the reach of unresolved blocks; among
    /// few suspects the one that the cheapest tree of questions starts with.
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

    /// Most of the mass on the suspects nearest to `bad`, all alike; the rest the same for each distance from it.
    ///
    /// A share `m` of the mass costs `log2(1 / m)` questions beyond those that tell its own suspects apart, so
    /// [`NEAR_MASS`] says what a near culprit saves and what any other pays. Past the near ones a distance counts, and
    /// not how many suspects long branches pile up at it: nearness is what is asked for.
    pub(super) fn latest(graph: &CommitGraph, suspects: &FixedBitSet, bad: Node) -> Self {
        let mut distances = vec![usize::MAX; bad as usize + 1];
        let mut shares: Vec<f64> = Vec::new();
        let mut level = vec![bad];
        distances[bad as usize] = 0;
        while !level.is_empty() {
            shares.push(level.iter().map(|&node| share(graph, node)).sum());
            let mut next = Vec::new();
            for &parent in level.iter().flat_map(|&node| graph.parents(node)) {
                if suspects.contains(parent as usize) && distances[parent as usize] == usize::MAX {
                    distances[parent as usize] = shares.len();
                    next.push(parent);
                }
            }
            level = next;
        }
        let near: f64 = shares.iter().take(NEAR).sum();
        let weight = |&node: &Node| {
            let distance = distances[node as usize];
            let nearby = if distance < NEAR { NEAR_MASS / near } else { 0.0 };
            share(graph, node) * (nearby + (1.0 - NEAR_MASS) / (shares[distance] * shares.len() as f64))
        };
        let members: Vec<Node> = suspects.ones().map(|node| node as Node).collect();
        let weights = members.iter().map(weight).collect();
        Prior::Weights(Arc::new((members, weights)))
    }

    /// These weights times those that a caller gave.
    pub(super) fn times(self, graph: &CommitGraph, suspects: &FixedBitSet, given: Option<&PriorWeights>) -> Self {
        let Some(given) = given else { return self };
        let members: Vec<Node> = suspects.ones().map(|node| node as Node).collect();
        let own = match self {
            // What a caller knows of merges is in what the caller gave.
            Prior::Uniform => vec![1.0; members.len()],
            prior @ Prior::Weights(_) => prior.of(graph, suspects),
        };
        let weights = members.iter().zip(own).map(|(&node, own)| own * given.possible(node)).collect();
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

/// How many distances from the leaf count as near, and the prior mass of the suspects there: it saves a near culprit
/// about half of git's questions, and costs any other one at most `log2(1 / 0.4)`, 1.3 of them.
const NEAR: usize = 8;
const NEAR_MASS: f64 = 0.6;

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
    costs: Costs,
    bad: Node,
    /// Out of use as long as `line` holds the suspects.
    suspects: FixedBitSet,
    line: Option<Line>,
    unresolved: Vec<Node>,
    seen: usize,
    /// Whether outcomes from before this search are still left out of account.
    afresh: bool,
    chosen: Option<(Node, f64)>,
}

impl DagSearch {
    pub(super) fn new(graph: &CommitGraph, kind: DagKind, costs: &Costs, bad: Node, suspects: FixedBitSet) -> Self {
        let line = match &kind {
            DagKind::Git => None,
            DagKind::Mass(prior) => Line::of(graph, &suspects, || prior.of(graph, &suspects)),
        };
        DagSearch {
            kind,
            costs: costs.clone(),
            bad,
            suspects,
            line,
            unresolved: Vec::new(),
            seen: 0,
            afresh: false,
            chosen: None,
        }
    }

    pub(super) fn bad(&self) -> Node {
        self.bad
    }

    /// Chooses the first question as though nothing had been seen to fail: a failure far down, from another leaf's
    /// search, would lead past what is near.
    pub(super) fn afresh(mut self, view: View<'_>) -> Self {
        self.seen = view.len();
        self.afresh = true;
        self
    }

    pub(super) fn next(&mut self, graph: &CommitGraph, view: View<'_>, passing: &KnownPassing) -> DagStep {
        let passes_beside = view.since(self.seen).any(|(node, outcome)| outcome == Outcome::Pass && !self.holds(node));
        self.learn_since(graph, view, self.seen);
        self.seen = view.len();
        if passes_beside {
            self.clear(passing);
        }
        loop {
            if self.chosen.is_none() {
                self.chosen = self.choose(graph, view);
            }
            let Some((node, fail_chance)) = self.chosen else {
                if !std::mem::take(&mut self.afresh) {
                    return DagStep::Done;
                }
                // No revision that was asked for was resolved, so the outcomes from before this search count now.
                self.learn_since(graph, view, 0);
                continue;
            };
            match view.outcome(node) {
                None => return DagStep::Ask { node, fail_chance },
                Some(outcome) => self.learn(graph, view, node, outcome),
            }
        }
    }

    /// Whether the revision is a suspect whose outcome would tell something.
    pub(super) fn is_open(&self, node: Node) -> bool {
        node != self.bad && self.holds(node)
    }

    /// Up to `want` revisions to ask beside those in flight, where so many jobs run side by side; `None` if git's choice is
    /// wanted.
    pub(super) fn several(
        &self,
        graph: &CommitGraph,
        view: View<'_>,
        want: usize,
        in_flight: &[Node],
        jobs: usize,
    ) -> Option<Vec<Node>> {
        let DagKind::Mass(prior) = &self.kind else { return None };
        let mut tested = in_flight.to_vec();
        if self.afresh {
            tested.extend(view.since(0).map(|(node, _)| node));
        }
        if let Some(line) = &self.line {
            let (members, below) = line.left();
            return Some(on_line(members, below, &self.costs, Wanted { want, tested: &tested, jobs }));
        }
        tested.retain(|&node| view.outcome(node) != Some(Outcome::Unresolved));
        let weights = prior.of(graph, &self.suspects);
        let blocks = self.blocks();
        let set = &self.suspects;
        let worth =
            set.ones().enumerate().map(|(place, node)| blocks.chance(place, None) / self.costs.at(node as Node));
        let worth: Vec<f64> = worth.collect();
        let suspects = Suspects { graph, view, set, weights: &weights, worth: &worth };
        Some(on_dag(&suspects, Wanted { want, tested: &tested, jobs }))
    }

    /// Takes in a stretch of the log: passing revisions first, then the oldest failing one, after which most of the
    /// other failing ones are no suspects any more.
    fn learn_since(&mut self, graph: &CommitGraph, view: View<'_>, from: usize) {
        let mut news: Vec<(Node, Outcome)> = view.since(from).filter(|entry| self.holds(entry.0)).collect();
        news.sort_unstable_by_key(|&(node, outcome)| (outcome != Outcome::Pass, node));
        for (node, outcome) in news {
            self.learn(graph, view, node, outcome);
        }
    }

    /// Takes in what passes beside the suspects: those that it comes after are none any more. What passes after the failing
    /// revision proves nothing about what led there.
    fn clear(&mut self, passing: &KnownPassing) {
        if passing.clears(self.bad) {
            return;
        }
        let is_new = match &mut self.line {
            Some(line) => line.clear(|node| passing.clears(node)),
            None => passing.take_cleared(&mut self.suspects),
        };
        if is_new {
            self.chosen = None;
        }
    }

    fn holds(&self, node: Node) -> bool {
        match &self.line {
            Some(line) => line.holds(node),
            None => self.suspects.contains(node as usize),
        }
    }

    fn learn(&mut self, graph: &CommitGraph, view: View<'_>, node: Node, outcome: Outcome) {
        if !self.holds(node) || node == self.bad {
            return;
        }
        self.chosen = None;
        match (outcome, &mut self.line) {
            (Outcome::Pass, Some(line)) => line.pass(node),
            (Outcome::Fail, Some(line)) => line.fail(node),
            (Outcome::Pass, None) => {
                let cleared = self.within(graph, node);
                self.suspects.difference_with(&cleared);
            }
            (Outcome::Fail, None) => self.suspects = self.within(graph, node),
            (Outcome::Unresolved, line) => {
                if let Some(line) = line.take() {
                    self.suspects = line.suspects(graph);
                }
                if !self.unresolved.contains(&node) {
                    self.unresolved.push(node);
                }
            }
        }
        if outcome == Outcome::Fail {
            self.bad = node;
        }
        if outcome != Outcome::Unresolved && std::mem::take(&mut self.afresh) {
            self.learn_since(graph, view, 0);
        }
    }

    fn choose(&self, graph: &CommitGraph, view: View<'_>) -> Option<(Node, f64)> {
        if let Some(line) = &self.line {
            return match &self.kind {
                // On a line, halving even mass is the best tree already.
                DagKind::Mass(prior)
                    if line.len() <= FEW && (matches!(prior, Prior::Weights(_)) || !self.costs.is_even()) =>
                {
                    let suspects = line.suspects(graph);
                    DecisionTree::new(graph, &suspects, prior.of(graph, &suspects), &self.costs, view).first()
                }
                _ => line.half(&self.costs),
            };
        }
        let suspects = &self.suspects;
        match &self.kind {
            // git goes by its rule for skips from the first one on, wherever that was.
            DagKind::Git => halving::choose(graph, suspects, self.bad, &self.unresolved),
            DagKind::Mass(prior) if suspects.count_ones(..) <= FEW && self.blocks().is_empty() => {
                DecisionTree::new(graph, suspects, prior.of(graph, suspects), &self.costs, view).first()
            }
            DagKind::Mass(prior) => self.halve(graph, prior),
        }
    }

    /// The unresolved suspects, by place among the suspects.
    fn blocks(&self) -> Blocks {
        if self.unresolved.is_empty() {
            return Blocks::new(&[]);
        }
        let mut unresolved = self.unresolved.clone();
        unresolved.sort_unstable();
        let is_unresolved = |node: usize| unresolved.binary_search(&(node as Node)).is_ok();
        let places = self.suspects.ones().enumerate().filter(|&(_, node)| is_unresolved(node));
        let places: Vec<usize> = places.map(|(place, _)| place).collect();
        Blocks::among(&places, self.suspects.count_ones(..))
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
        let blocks = self.blocks();
        let mut best = None;
        for (place, (node, sum)) in sums.iter().enumerate() {
            if node == self.bad {
                continue;
            }
            let mut score =
                if self.costs.is_even() { sum.min(total - sum) } else { self.costs.information(node, sum / total) };
            if !blocks.is_empty() {
                score *= blocks.chance(place, None);
            }
            // The oldest of equals.
            if score > 0.0 && best.is_none_or(|(best, _, _)| score > best) {
                best = Some((score, node, sum / total));
            }
        }
        best.map(|(_, node, fail_chance)| (node, fail_chance))
    }
}
