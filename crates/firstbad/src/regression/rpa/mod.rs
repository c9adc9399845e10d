//! RPA, Algorithms 1, 2 and 4: leaves by distance, a search for each, propagation; and going on until clean.
//!
//! ```text
//! while a leaf is unprocessed
//!     l <- the one nearest to a known passing revision      Algorithm 4, line 8
//!     p <- a shortest path from there to l                  line 9; searches on the DAG take its suspects instead
//!     (u, v) <- a regression point on p                     line 10
//!     while a parent of v fails: search again below it      the answer is clean
//!     output (u, v), for l and for every leaf above v       line 12 and Algorithm 2
//! ```

mod around;
mod descent;
mod edge;
mod task;

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use self::task::{Step, Task, TaskState};
use super::config::RegressionConfig;
use super::costs::Costs;
use super::known_passing::KnownPassing;
use super::outcomes::View;
use super::report::Ending;
use super::strategy::{BayesSearch, DagSearch};
use crate::belief::PriorWeights;
use crate::graph::{CommitGraph, Node};

/// What RPA needs next.
#[derive(Debug, Clone, Copy)]
pub(super) enum Next {
    /// The outcome of a revision, which fails with about this probability.
    Ask { node: Node, fail_chance: f64 },
    /// Nothing: every leaf has its answer.
    Done,
}

/// A regression point as found: revisions, and which leaves it answers for (places in the list of leaves).
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// The passing side; `None` if no ancestor passes.
    pub(super) good: Option<Node>,
    pub(super) bad: Node,
    pub(super) leaves: Vec<usize>,
    /// With a flaky test: how likely it is right, for the leaf for which that is least likely.
    pub(super) probability: Option<f64>,
    /// With a flaky test: the suspects that no test tells apart, oldest first; `None` if there is a single one.
    pub(super) inseparable: Option<Vec<Node>>,
    /// With a flaky test: the parents of `bad` that were told from it.
    pub(super) told_apart: Vec<Node>,
}

/// The leaves of a search and how far each has come.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    /// The end that was given.
    pub(super) end: Node,
    /// The revision that is searched from: the end, or what takes its place.
    pub(super) node: Node,
    pub(super) ending: Ending,
    pub(super) points: Vec<usize>,
}

impl Leaf {
    pub(super) fn new(end: Node, node: Node, ending: Ending) -> Self {
        Leaf { end, node, ending, points: Vec::new() }
    }
}

/// All leaves, what they have been answered with, and the search for the one at hand.
#[derive(Debug, Clone)]
pub(super) struct Rpa {
    graph: Arc<CommitGraph>,
    config: Arc<RegressionConfig>,
    pub(super) prior: Option<Arc<PriorWeights>>,
    costs: Costs,
    passing: Arc<KnownPassing>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) points: Vec<Point>,
    /// Algorithm 2's removed vertices: every leaf above them is answered for.
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

    /// Begins with such leaves and roots that are assumed to pass, whatever was found before.
    pub(super) fn begin(&mut self, leaves: Vec<Leaf>, assumed: Vec<Node>, view: View<'_>) {
        KnownPassing::begin_again(&mut self.passing, &self.graph, view, assumed);
        self.covered = Arc::new(self.graph.none());
        self.points = Vec::new();
        self.leaves = leaves;
        self.task = None;
    }

    /// The failing revision that the search at hand has come down to, with its leaf.
    pub(super) fn at(&self) -> Option<(usize, Node)> {
        self.task.as_ref().map(|task| (task.leaf, task.at()))
    }

    /// Whether any point of a leaf has an older side.
    pub(super) fn has_change(&self, leaf: &Leaf) -> bool {
        leaf.points.iter().any(|&point| self.points[point].good.is_some())
    }

    pub(super) fn passing(&self) -> &KnownPassing {
        &self.passing
    }

    /// The leaves that no search has begun for.
    pub(super) fn waiting_leaves(&self) -> impl Iterator<Item = Node> + '_ {
        let at_hand = self.task.as_ref().map(|task| task.leaf);
        let waits = move |entry: &(usize, &Leaf)| entry.1.ending == Ending::Open && Some(entry.0) != at_hand;
        self.leaves.iter().enumerate().filter(waits).map(|(_, leaf)| leaf.node)
    }

    /// Leaves the search at hand aside: what would be asked for the leaves after it.
    pub(super) fn set_aside(&mut self) -> bool {
        let Some(task) = self.task.take() else { return false };
        self.leaves[task.leaf].ending = Ending::Searched;
        self.leaves.iter().any(|leaf| leaf.ending == Ending::Open)
    }

    /// Goes as far as what is known allows. `None`: the rates told for a flaky test do not fit, so that all outcomes are to be read
    /// again, at unknown ones.
    pub(super) fn advance(&mut self, view: View<'_>) -> Option<Next> {
        loop {
            if self.passing.is_behind(view) {
                Arc::make_mut(&mut self.passing).update(&self.graph, view);
            }
            let mut task = match self.task.take() {
                Some(task) => task,
                None => match self.dequeue(view) {
                    Some(task) => task,
                    None => return Some(Next::Done),
                },
            };
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
                Step::Over => self.close(task),
                Step::NoAnswer(ending) => self.leaves[task.leaf].ending = ending,
            }
        }
    }

    /// The open leaf nearest to a known passing revision; ties in the order given.
    fn dequeue(&mut self, view: View<'_>) -> Option<Task> {
        if self.waiting_leaves().next().is_none() {
            self.take_up_again();
            self.waiting_leaves().next()?;
        }
        Arc::make_mut(&mut self.passing).measure(&self.graph, view);
        let distances = self.passing.distances();
        let open = self.leaves.iter().enumerate().filter(|(_, leaf)| leaf.ending == Ending::Open);
        let (leaf, node) = open
            .min_by_key(|(place, leaf)| (distances.to(leaf.node).unwrap_or(u32::MAX), *place))
            .map(|(place, leaf)| (place, leaf.node))?;
        Some(Task::new(leaf, node))
    }

    /// Takes up the leaves again below which nothing passed when their turn came, if something does by now.
    fn take_up_again(&mut self) {
        let has_good = |&parent: &Node| self.passing.has_passing_ancestor(parent);
        let has_good = |point: &Point| self.graph.parents(point.bad).iter().any(has_good);
        let groundless = |point: &Point| point.good.is_none() && has_good(point);
        let again: Vec<usize> = (0..self.points.len()).filter(|&place| groundless(&self.points[place])).collect();
        for (place, leaf) in self.leaves.iter_mut().enumerate() {
            if leaf.points.iter().any(|point| again.contains(point)) {
                leaf.points.clear();
                leaf.ending = Ending::Open;
                self.points.iter_mut().for_each(|point| point.leaves.retain(|&other| other != place));
            }
        }
    }

    /// The belief at hand; `None` if the search at hand keeps none.
    pub(super) fn belief(&self) -> Option<&BayesSearch> {
        if let TaskState::Search(search) = &self.task.as_ref()?.state { search.belief() } else { None }
    }

    /// The search on the DAG at hand; `None` if it is of another kind, or waits for what its suspects come from.
    pub(super) fn dag_search(&self) -> Option<&DagSearch> {
        match &self.task.as_ref()?.state {
            TaskState::Search(search) => search.dag_search(),
            TaskState::Around { search, asks: true, .. } => Some(search),
            _ => None,
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

    /// Writes down the points of a leaf, and of the leaves that they answer for as well (Algorithm 2).
    fn close(&mut self, task: Task) {
        let for_nothing = task.probability.is_some() && !task.has_asked && self.config.propagates();
        self.answer(task.leaf, if for_nothing { Ending::Propagated } else { Ending::Searched }, &task.points);
        if task.probability.is_some() {
            // With a flaky test each leaf needs its own confidence: its turn comes.
            return;
        }
        if !self.config.propagates() || self.waiting_leaves().next().is_none() {
            return;
        }
        let Some(&main) = task.points.first() else { return };
        // If nothing passes below, only leaves without any passing ancestor have their answer.
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
            if self.leaves[leaf].ending == Ending::Open && set.contains(node as usize) {
                // A side followed for this leaf need not be one of that leaf's.
                let leads = |point: &usize| *point == main || self.graph.is_ancestor(self.points[*point].bad, node);
                let points: Vec<usize> = task.points.iter().copied().filter(leads).collect();
                self.answer(leaf, Ending::Propagated, &points);
            }
        }
        self.covered = covered;
    }

    fn answer(&mut self, leaf: usize, ending: Ending, points: &[usize]) {
        self.leaves[leaf].ending = ending;
        self.leaves[leaf].points = points.to_vec();
        for &point in points {
            let leaves = &mut self.points[point].leaves;
            leaves.insert(leaves.partition_point(|&other| other < leaf), leaf);
        }
    }
}
