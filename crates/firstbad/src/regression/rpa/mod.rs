//! RPA (Bendík, Beneš, Černá 2018): one regression point per leaf, nearest leaf first, and its propagation.
//!
//! ```text
//!     priorityBasedRPA(G, L)                                      Algorithm 4
//!         for each l in L: dist(l) <- dist(r, l); start(l) <- r
//!         UnprocessedLeaves <- L                                  a priority queue
//!         while UnprocessedLeaves is not empty
//!  8          l <- UnprocessedLeaves.dequeueMinimum()
//!  9          p_l <- a shortest path <x, ..., l> such that x = start(l)
//! 10          (u, v) <- find a regression point on p_l
//! 11          KnownValid <- KnownValid + NewValid
//! 12          output (u, v) is the regression predecessor of l
//! 13          propagateRegressionPoint(v, (u, v))                 optional
//! 14          updatePriorities(NewValid)                          Algorithm 5
//!
//!     propagateRegressionPoint(k, (u, v))                         Algorithm 2
//!         for each edge (k, l): propagateRegressionPoint(l, (u, v))
//!         if k is in UnprocessedLeaves
//!             output (u, v) is a regression predecessor of k
//!             UnprocessedLeaves <- UnprocessedLeaves - {k}
//!         remove k from the graph
//! ```
//!
//! `KnownPassing` holds KnownValid and the distances. `strategy` finds a regression point, and `strategy/path.rs` has the paper's
//! methods. Beyond the paper, `edge.rs` continues into failing parents of v, so that the point has a culprit, and `around.rs`
//! tests the revisions behind unresolved parents.

mod around;
mod at_hand;
mod descent;
mod edge;
mod task;

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use self::task::{Step, Task};
use super::config::RegressionConfig;
use super::costs::Costs;
use super::known_passing::KnownPassing;
use super::outcomes::View;
use super::report::LeafResult;
use crate::belief::PriorWeights;
use crate::graph::{CommitGraph, Node};

/// The next step of RPA.
#[derive(Debug, Clone, Copy)]
pub(super) enum Next {
    /// Test a revision, which fails with about this probability.
    Ask { node: Node, fail_chance: f64 },
    /// Every leaf is finished.
    Done,
}

/// A regression point, with the leaves that it explains, as indices into the list of leaves.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// The passing side, or `None` if no ancestor passes.
    pub(super) good: Option<Node>,
    pub(super) bad: Node,
    pub(super) leaves: Vec<usize>,
    /// With a flaky test, the probability of the point, at its least likely leaf.
    pub(super) probability: Option<f64>,
    /// With a flaky test, the inseparable suspects, oldest first. `None` if there is a single one.
    pub(super) inseparable: Option<Vec<Node>>,
    /// With a flaky test, the parents of `bad` that were distinguished from it.
    pub(super) told_apart: Vec<Node>,
}

/// A leaf and the state of its search.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    /// The given endpoint.
    pub(super) end: Node,
    /// The revision to search from: the endpoint or its replacement.
    pub(super) node: Node,
    pub(super) result: LeafResult,
    pub(super) points: Vec<usize>,
}

impl Leaf {
    pub(super) fn new(end: Node, node: Node, result: LeafResult) -> Self {
        Leaf { end, node, result, points: Vec::new() }
    }
}

/// All leaves, their points, and the current search.
#[derive(Debug, Clone)]
pub(super) struct Rpa {
    graph: Arc<CommitGraph>,
    config: Arc<RegressionConfig>,
    pub(super) prior: Option<Arc<PriorWeights>>,
    costs: Costs,
    passing: Arc<KnownPassing>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) points: Vec<Point>,
    /// The vertices that Algorithm 2 removes. Every leaf above them is finished.
    covered: Arc<FixedBitSet>,
    task: Option<Task>,
}

impl Rpa {
    pub(super) fn new(
        graph: Arc<CommitGraph>,
        config: Arc<RegressionConfig>,
        prior: Option<Arc<PriorWeights>>,
        costs: Costs,
        view: View<'_>,
    ) -> Self {
        Rpa {
            prior,
            costs,
            passing: Arc::new(KnownPassing::new(&graph, view, Vec::new())),
            covered: Arc::new(graph.none()),
            points: Vec::new(),
            leaves: Vec::new(),
            task: None,
            graph,
            config,
        }
    }

    /// Starts with these leaves and assumed roots, and forgets previous results.
    pub(super) fn begin(&mut self, leaves: Vec<Leaf>, assumed: Vec<Node>, view: View<'_>) {
        KnownPassing::begin_again(&mut self.passing, &self.graph, view, assumed);
        self.covered = Arc::new(self.graph.none());
        self.points = Vec::new();
        self.leaves = leaves;
        self.task = None;
    }

    /// The leaves whose search has not started.
    pub(super) fn unprocessed_leaves(&self) -> impl Iterator<Item = Node> + '_ {
        let at_hand = self.task.as_ref().map(|task| task.leaf);
        let waits = move |entry: &(usize, &Leaf)| entry.1.result == LeafResult::Open && Some(entry.0) != at_hand;
        self.leaves.iter().enumerate().filter(waits).map(|(_, leaf)| leaf.node)
    }

    /// Advances as far as the known outcomes allow. `None` means that the given rates of a flaky test do not fit, and that all
    /// outcomes must be read again at unknown rates.
    pub(super) fn advance(&mut self, view: View<'_>) -> Option<Next> {
        loop {
            // Line 11.
            if self.passing.is_behind(view) {
                Arc::make_mut(&mut self.passing).update(&self.graph, view);
            }
            let Some(mut task) = self.task.take().or_else(|| self.dequeue_minimum(view)) else {
                return Some(Next::Done);
            };
            // Lines 9 and 10.
            match self.step(&mut task, view) {
                Step::Ask(node, fail_chance) => {
                    task.has_asked = true;
                    self.task = Some(task);
                    return Some(Next::Ask { node, fail_chance });
                }
                Step::OtherRates => {
                    self.task = Some(task);
                    return None;
                }
                Step::Again => self.task = Some(task),
                Step::Over => self.close(&task),
                Step::NoAnswer(result) => self.leaves[task.leaf].result = result,
            }
        }
    }

    /// Takes the open leaf with the lowest dist(l), the first of several (lines 8 and 14).
    fn dequeue_minimum(&mut self, view: View<'_>) -> Option<Task> {
        if self.unprocessed_leaves().next().is_none() {
            self.take_up_again();
            self.unprocessed_leaves().next()?;
        }
        Arc::make_mut(&mut self.passing).measure(&self.graph, view);
        let dist = |leaf: &Leaf| self.passing.distances().to(leaf.node).unwrap_or(u32::MAX);
        let open = self.leaves.iter().enumerate().filter(|(_, leaf)| leaf.result == LeafResult::Open);
        let (place, leaf) = open.min_by_key(|(place, leaf)| (dist(leaf), *place))?;
        Some(Task::new(place, leaf.node))
    }

    /// Reopens the leaves that had no passing ancestor at their turn, if one passes now.
    fn take_up_again(&mut self) {
        let has_good = |&parent: &Node| self.passing.has_passing_ancestor(parent);
        let has_good = |point: &Point| self.graph.parents(point.bad).iter().any(has_good);
        let groundless = |point: &Point| point.good.is_none() && has_good(point);
        let again: Vec<usize> = (0..self.points.len()).filter(|&place| groundless(&self.points[place])).collect();
        for (place, leaf) in self.leaves.iter_mut().enumerate() {
            if leaf.points.iter().any(|point| again.contains(point)) {
                leaf.points.clear();
                leaf.result = LeafResult::Open;
                self.points.iter_mut().for_each(|point| point.leaves.retain(|&other| other != place));
            }
        }
    }

    fn point(&mut self, good: Option<Node>, bad: Node, inseparable: Option<Vec<Node>>) -> usize {
        let same = |point: &Point| (point.good, point.bad) == (good, bad) && point.inseparable == inseparable;
        self.points.iter().position(same).unwrap_or_else(|| {
            self.points.push(Point {
                good,
                bad,
                leaves: Vec::new(),
                probability: None,
                inseparable,
                told_apart: Vec::new(),
            });
            self.points.len() - 1
        })
    }

    /// Records the points of a leaf, and propagates the first one (lines 12 and 13).
    fn close(&mut self, task: &Task) {
        let propagates = self.config.propagates();
        let is_free = task.probability.is_some() && !task.has_asked && propagates;
        self.output(task.leaf, if is_free { LeafResult::Propagated } else { LeafResult::Searched }, &task.points);
        // With a flaky test, each leaf needs its own confidence.
        if propagates && task.probability.is_none() && self.unprocessed_leaves().next().is_some() {
            self.propagate_regression_point(&task.points);
        }
    }

    /// Algorithm 2 for the first point of a leaf, with removed vertices as bits. The other points of the leaf also count for each
    /// leaf that descends from them.
    fn propagate_regression_point(&mut self, points: &[usize]) {
        let Some(&main) = points.first() else { return };
        // If nothing passes below, only leaves without a passing ancestor are finished.
        let rootless = self.points[main].good.is_none();
        let mut covered = Arc::clone(&self.covered);
        let set = Arc::make_mut(&mut covered);
        let mut stack = vec![self.points[main].bad];
        while let Some(node) = stack.pop() {
            if rootless && self.passing.has_passing_ancestor(node) {
                continue;
            }
            if !set.put(node as usize) {
                stack.extend(self.graph.children(node));
            }
        }
        for leaf in 0..self.leaves.len() {
            let node = self.leaves[leaf].node;
            if self.leaves[leaf].result == LeafResult::Open && set.contains(node as usize) {
                // A point of a side need not be an ancestor of the other leaf.
                let leads = |point: &usize| *point == main || self.graph.is_ancestor(self.points[*point].bad, node);
                let points: Vec<usize> = points.iter().copied().filter(leads).collect();
                self.output(leaf, LeafResult::Propagated, &points);
            }
        }
        self.covered = covered;
    }

    /// Records the points of a leaf.
    fn output(&mut self, leaf: usize, result: LeafResult, points: &[usize]) {
        self.leaves[leaf].result = result;
        self.leaves[leaf].points = points.to_vec();
        for &point in points {
            let leaves = &mut self.points[point].leaves;
            leaves.insert(leaves.partition_point(|&other| other < leaf), leaf);
        }
    }
}
