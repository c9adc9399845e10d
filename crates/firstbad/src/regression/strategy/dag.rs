//! Searches on the DAG itself: a pass rules out ancestors, and a failure rules out everything else.

use fixedbitset::FixedBitSet;

use super::decision_tree::{DecisionTree, FEW};
use super::git_bisect;
use super::interface::{Found, Ground, Strategy, UNEXPECTED};
use super::line::Line;
use super::prior::Prior;
use super::round::{Suspects, Wanted, on_dag, on_line};
use crate::belief::Blocks;
use crate::graph::{AncestorSums, CommitGraph, Node, flood};
use crate::regression::config::SearchKind;
use crate::regression::costs::Costs;
use crate::regression::known_passing::KnownPassing;
use crate::regression::outcomes::View;
use crate::search::Outcome;

/// How to choose the next revision among the suspects.
#[derive(Debug, Clone)]
pub(in crate::regression) enum DagKind {
    /// The revision that `git bisect` would test, with Git's handling of skips.
    Git,
    /// The revision whose ancestors have about half of the prior probability, away from unresolved blocks. For few suspects, the
    /// first revision of the cheapest decision tree.
    Mass(Prior),
}

/// The next step of a DAG search.
pub(in crate::regression) enum DagStep {
    /// Test a revision, which fails with this probability if the prior is right.
    Ask { node: Node, fail_chance: f64 },
    /// The search is over. `bad` fails, and each other suspect is unresolved or treated as unresolved.
    Done,
}

/// A search for the culprit among the ancestors of a failing revision.
#[derive(Debug, Clone)]
pub(in crate::regression) struct DagSearch {
    kind: DagKind,
    costs: Costs,
    bad: Node,
    /// Unused as long as `line` holds the suspects.
    suspects: FixedBitSet,
    line: Option<Line>,
    unresolved: Vec<Node>,
    seen: usize,
    /// Whether outcomes from before this search are still ignored.
    afresh: bool,
    chosen: Option<(Node, f64)>,
}

impl DagSearch {
    pub(in crate::regression) fn new(
        graph: &CommitGraph,
        kind: DagKind,
        costs: &Costs,
        bad: Node,
        suspects: FixedBitSet,
    ) -> Self {
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

    pub(in crate::regression) fn bad(&self) -> Node {
        self.bad
    }

    /// Chooses the first revision as if no failure were known. A failure far down, from another leaf's search, would lead past
    /// near revisions.
    pub(in crate::regression) fn afresh(mut self, view: View<'_>) -> Self {
        self.seen = view.len();
        self.afresh = true;
        self
    }

    pub(in crate::regression) fn next(
        &mut self,
        graph: &CommitGraph,
        view: View<'_>,
        passing: &KnownPassing,
    ) -> DagStep {
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
                // No requested revision was resolved, so use the outcomes from before this search.
                self.learn_since(graph, view, 0);
                continue;
            };
            match view.outcome(node) {
                None => return DagStep::Ask { node, fail_chance },
                Some(outcome) => self.learn(graph, view, node, outcome),
            }
        }
    }

    /// Whether a revision is a suspect whose outcome gives information.
    pub(in crate::regression) fn is_open(&self, node: Node) -> bool {
        node != self.bad && self.holds(node)
    }

    /// Up to `want` revisions to test besides those in flight, with `jobs` parallel runs. `None` for Git's choice.
    pub(in crate::regression) fn several(
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

    /// Adds a part of the log. Passing revisions come first, then the oldest failing one, which rules out most other failing
    /// ones.
    fn learn_since(&mut self, graph: &CommitGraph, view: View<'_>, from: usize) {
        let mut news: Vec<(Node, Outcome)> = view.since(from).filter(|entry| self.holds(entry.0)).collect();
        news.sort_unstable_by_key(|&(node, outcome)| (outcome != Outcome::Pass, node));
        for (node, outcome) in news {
            self.learn(graph, view, node, outcome);
        }
    }

    /// Removes suspects that a pass elsewhere clears. A pass after the failing revision says nothing about the cause of the
    /// failure.
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
                // On a line, halving equal weights is already the best tree.
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
            // Git uses its rule for skips from the first skip on.
            DagKind::Git => git_bisect::choose(graph, suspects, self.bad, &self.unresolved),
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

    /// The suspects among `node` and its ancestors. All revisions between suspects are suspects, so a walk on suspects is enough.
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
            // Ties go to the oldest.
            if score > 0.0 && best.is_none_or(|(best, _, _)| score > best) {
                best = Some((score, node, sum / total));
            }
        }
        best.map(|(_, node, fail_chance)| (node, fail_chance))
    }
}

/// A search on the DAG below a leaf.
#[derive(Debug, Clone)]
pub(in crate::regression) struct OnDag {
    search: DagSearch,
    /// The base of the suspects, while the search waits for its outcome.
    base: Option<Node>,
}

impl OnDag {
    pub(super) fn new(search: DagSearch) -> Self {
        OnDag { search, base: None }
    }

    /// The search of this kind below `bad`. Git also looks into histories that never passed.
    pub(super) fn below(ground: &Ground<'_>, search: SearchKind, bad: Node) -> Self {
        let graph = ground.graph;
        let (suspects, kind) = if search == SearchKind::Bisect && !ground.has_sides {
            (ground.passing.suspects(graph, ground.view, bad), DagKind::Git)
        } else {
            let suspects = ground.suspects(bad);
            let prior = if search == SearchKind::Weighted { Prior::recent(&suspects) } else { Prior::Uniform };
            let prior = prior.times(graph, &suspects, ground.prior);
            (suspects, DagKind::Mass(prior))
        };
        OnDag::new(DagSearch::new(graph, kind, ground.costs, bad, suspects))
    }

    /// Returns the search, unless it waits for the base of its suspects.
    pub(super) fn at_work(&self) -> Option<&DagSearch> {
        Some(&self.search).filter(|_| self.base.is_none())
    }
}

impl Strategy for OnDag {
    /// If the search reaches a revision without a passing ancestor, it tests a cleared base. If the base does not pass, the
    /// search restarts among revisions with a passing ancestor.
    fn advance(&mut self, ground: &Ground<'_>) -> Found {
        let (graph, view, passing) = (ground.graph, ground.view, &ground.passing);
        let step = self.search.next(graph, view, passing);
        let bad = self.search.bad();
        self.base = None;
        if ground.config.search != SearchKind::Bisect && !passing.has_passing_ancestor(bad) {
            if !passing.is_misled(view) {
                self.base = passing.base_to_ask(graph, view, bad);
            } else if !ground.has_sides && passing.has_passing_ancestor(ground.leaf) {
                return Found::Below(ground.leaf);
            }
        }
        match (self.base, step) {
            (Some(node), _) => Found::Ask { node, fail_chance: UNEXPECTED },
            (None, DagStep::Ask { node, fail_chance }) => Found::Ask { node, fail_chance },
            (None, DagStep::Done) => Found::Culprit { node: bad, probability: None, told_apart: Vec::new() },
        }
    }

    fn bad(&self) -> Node {
        self.search.bad()
    }
}
