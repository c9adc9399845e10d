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

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::bayes::{BayesSearch, BayesStep};
use super::config::{Prefer, RegressionConfig, SearchKind};
use super::dag::{DagKind, DagSearch, DagStep, Prior};
use super::evidence::View;
use super::ground::{Footing, Ground};
use super::path::{PathKind, PathSearch, PathStep};
use super::report::Ending;
use crate::graph::{CommitGraph, Node};
use crate::search::Outcome;

/// How likely a parent fails that a passing revision covers.
const UNEXPECTED: f64 = 0.05;

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
    /// The passing side; nothing where no ancestor passes.
    pub(super) good: Option<Node>,
    pub(super) bad: Node,
    pub(super) leaves: Vec<usize>,
    /// With a flaky test: how likely it is right, for the leaf for which that is least likely.
    pub(super) probability: Option<f64>,
}

/// The leaves of a search and how far each has come.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) node: Node,
    pub(super) ending: Ending,
    pub(super) points: Vec<usize>,
}

#[derive(Debug, Clone)]
pub(super) struct Rpa {
    graph: Arc<CommitGraph>,
    config: Arc<RegressionConfig>,
    ground: Arc<Ground>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) points: Vec<Point>,
    /// Algorithm 2's removed vertices: every leaf above them is answered for.
    covered: Arc<FixedBitSet>,
    task: Option<Task>,
}

/// The search for one leaf.
#[derive(Debug, Clone)]
struct Task {
    leaf: usize,
    /// The failing revision that the search has come down to.
    bad: Node,
    stage: Stage,
    /// Failing parents without a passing ancestor, each to be followed to where it starts.
    sides: Vec<Node>,
    /// Points found for this leaf so far.
    points: Vec<usize>,
    /// Whether anything was asked for this leaf.
    has_asked: bool,
    /// With a flaky test: how likely `bad` is the culprit.
    probability: Option<f64>,
}

#[derive(Debug, Clone)]
enum Stage {
    /// `bad` is new: see where it stands and how to search below it.
    Enter,
    Path {
        path: Arc<[Node]>,
        search: PathSearch,
        afoot: Afoot,
        /// How much of the log is taken into account.
        seen: usize,
    },
    Dag {
        search: DagSearch,
    },
    Bayes {
        search: Box<BayesSearch>,
    },
    /// The search below `bad` is over; `low` passes (or is assumed to) and is the end of the path searched, if any.
    Edge {
        low: Option<Node>,
        afoot: Afoot,
    },
}

/// What a search stands on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Afoot {
    /// A passing revision, or a root taken to pass.
    Revision,
    /// The virtual passing root under roots that do not pass.
    Virtual,
}

impl Afoot {
    /// A path that hangs under the virtual root has it as position 0.
    fn shift(self) -> usize {
        usize::from(self == Afoot::Virtual)
    }
}

impl Rpa {
    pub(super) fn new(
        graph: Arc<CommitGraph>,
        config: Arc<RegressionConfig>,
        leaves: Vec<Leaf>,
        assumed: Vec<Node>,
        view: View<'_>,
    ) -> Self {
        Rpa {
            ground: Arc::new(Ground::new(&graph, view, assumed)),
            covered: Arc::new(graph.none()),
            points: Vec::new(),
            task: None,
            graph,
            config,
            leaves,
        }
    }

    /// The failing revision that the search at hand has come down to, with its leaf.
    pub(super) fn at(&self) -> Option<(usize, Node)> {
        self.task.as_ref().map(|task| match &task.stage {
            Stage::Path { path, search, afoot, .. } => (task.leaf, path[search.high() - afoot.shift()]),
            Stage::Dag { search } => (task.leaf, search.bad()),
            Stage::Bayes { search } => (task.leaf, search.best().0),
            _ => (task.leaf, task.bad),
        })
    }

    pub(super) fn ground(&self) -> &Ground {
        &self.ground
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

    /// Goes as far as what is known allows.
    pub(super) fn advance(&mut self, view: View<'_>) -> Next {
        loop {
            if self.ground.is_behind(view) {
                Arc::make_mut(&mut self.ground).update(&self.graph, view);
            }
            let mut task = match self.task.take() {
                Some(task) => task,
                None => match self.dequeue(view) {
                    Some(task) => task,
                    None => return Next::Done,
                },
            };
            match self.step(&mut task, view) {
                Step::Ask(node, fail_chance) => {
                    task.has_asked = true;
                    self.task = Some(task);
                    return Next::Ask { node, fail_chance };
                }
                Step::Again => self.task = Some(task),
                Step::Over => self.close(task),
                Step::NoAnswer(ending) => self.leaves[task.leaf].ending = ending,
            }
        }
    }

    /// The open leaf nearest to a known passing revision; ties in the order given.
    fn dequeue(&mut self, view: View<'_>) -> Option<Task> {
        self.waiting_leaves().next()?;
        Arc::make_mut(&mut self.ground).measure(&self.graph, view);
        let distances = self.ground.distances();
        let open = self.leaves.iter().enumerate().filter(|(_, leaf)| leaf.ending == Ending::Open);
        let (leaf, node) = open
            .min_by_key(|(place, leaf)| (distances.to(leaf.node).unwrap_or(u32::MAX), *place))
            .map(|(place, leaf)| (place, leaf.node))?;
        Some(Task {
            leaf,
            bad: node,
            stage: Stage::Enter,
            sides: Vec::new(),
            points: Vec::new(),
            has_asked: false,
            probability: None,
        })
    }

    fn step(&mut self, task: &mut Task, view: View<'_>) -> Step {
        match &mut task.stage {
            Stage::Enter => self.enter(task, view),
            Stage::Path { path, search, afoot, seen } => {
                let afoot = *afoot;
                let shift = afoot.shift();
                match search.next(|position| view.outcome(path[position - shift])) {
                    PathStep::Ask { position, fail_chance } => {
                        // Ranks ascend along a path.
                        let place = |node: Node| path.binary_search(&node).ok().map(|place| place + shift);
                        let known = view.since(*seen).filter_map(|(node, outcome)| Some((place(node)?, outcome)));
                        let shorter = search.learn(&known.collect::<Vec<_>>());
                        *seen = view.len();
                        if shorter { Step::Again } else { Step::Ask(path[position - shift], fail_chance) }
                    }
                    PathStep::Done { low, high } => {
                        task.bad = path[high - shift];
                        let low = low.checked_sub(shift).map(|low| path[low]);
                        task.stage = Stage::Edge { low, afoot };
                        Step::Again
                    }
                }
            }
            Stage::Dag { search } => match search.next(&self.graph, view) {
                DagStep::Ask { node, fail_chance } => Step::Ask(node, fail_chance),
                DagStep::Done => {
                    let bad = search.bad();
                    self.arrive(task, bad, None, view)
                }
            },
            Stage::Bayes { search } => {
                let Some(flaky) = view.flaky else { return Step::NoAnswer(Ending::Contradictory) };
                let leaf = self.leaves[task.leaf].node;
                let (node, probability) = match search.next(&self.graph, view, flaky, &self.ground) {
                    BayesStep::Ask { node, fail_chance } => return Step::Ask(node, fail_chance),
                    BayesStep::Flake if search.bad() == leaf => return Step::NoAnswer(Ending::NotReproduced),
                    // A parent that was believed to fail passes after all: back to the leaf.
                    BayesStep::Flake if view.outcome(search.bad()) == Some(Outcome::Pass) => return task.enter(leaf),
                    BayesStep::Below(node) => return task.enter(node),
                    BayesStep::Flake | BayesStep::Contradictory => return Step::NoAnswer(Ending::Contradictory),
                    BayesStep::Culprit { node, probability } => (node, probability),
                    BayesStep::Inseparable { newest, probability } => (newest, probability),
                };
                self.arrive(task, node, Some(probability), view)
            }
            Stage::Edge { low, afoot } => {
                let (low, afoot) = (*low, *afoot);
                self.edge(task, low, afoot, view)
            }
        }
    }

    /// A search on the DAG has come down to `bad`: on to its edge, once it is known what that stands on.
    fn arrive(&mut self, task: &mut Task, bad: Node, probability: Option<f64>, view: View<'_>) -> Step {
        let footing = self.ground.footing(&self.graph, view, bad);
        if let Footing::Ask(node) = footing {
            return Step::Ask(node, 0.5);
        }
        task.bad = bad;
        task.probability = probability.or(task.probability);
        if let Footing::Virtual = footing {
            return self.lose_footing(task);
        }
        task.stage = Stage::Edge { low: None, afoot: Afoot::Revision };
        Step::Again
    }

    fn enter(&mut self, task: &mut Task, view: View<'_>) -> Step {
        match self.ground.footing(&self.graph, view, task.bad) {
            Footing::Ask(node) => return Step::Ask(node, 0.5),
            Footing::Grounded => {
                let bad = task.bad;
                let first = bad == self.leaves[task.leaf].node;
                task.stage = match (self.config.search, self.config.prefer) {
                    (SearchKind::Linear, _) => self.path(bad, PathKind::Linear, view),
                    (SearchKind::Binary, _) => self.path(bad, PathKind::Binary, view),
                    (SearchKind::Multiplying, _) => self.path(bad, PathKind::Multiplying, view),
                    (SearchKind::Gallop, _) => self.path(bad, PathKind::Gallop, view),
                    (SearchKind::Auto, Prefer::Latest) if first => self.latest(bad, view),
                    (SearchKind::Bayes, _) => self.bayes(task, view),
                    (SearchKind::Halving, _) if !task.sides.is_empty() => self.dag(bad, SearchKind::Auto, view),
                    (kind, _) => self.dag(bad, kind, view),
                };
            }
            // With a flaky test the failure itself is in question first.
            Footing::Virtual if view.flaky.is_some() && task.probability.is_none() => {
                task.stage = self.bayes(task, view);
            }
            Footing::Virtual => {
                let path: Arc<[Node]> = Ground::path_from_root(&self.graph, task.bad).into();
                let kind = match self.config.search {
                    SearchKind::Linear => PathKind::Linear,
                    SearchKind::Multiplying => PathKind::Multiplying,
                    SearchKind::Gallop => PathKind::Gallop,
                    _ => PathKind::Binary,
                };
                // If its root fails there is nothing to search: a history that never passed.
                let length = if view.outcome(path[0]) == Some(Outcome::Fail) { 1 } else { path.len() };
                task.stage =
                    Stage::Path { search: PathSearch::new(kind, length), path, afoot: Afoot::Virtual, seen: 0 };
            }
        }
        Step::Again
    }

    fn path(&mut self, bad: Node, kind: PathKind, view: View<'_>) -> Stage {
        let ground = Arc::make_mut(&mut self.ground);
        ground.measure(&self.graph, view);
        let path: Arc<[Node]> = ground.distances().path(&self.graph, bad).into();
        Stage::Path { search: PathSearch::new(kind, path.len() - 1), path, afoot: Afoot::Revision, seen: 0 }
    }

    fn dag(&self, bad: Node, kind: SearchKind, view: View<'_>) -> Stage {
        let (suspects, kind) = match kind {
            SearchKind::Halving => (self.ground.suspects(&self.graph, view, bad), DagKind::Git),
            SearchKind::Weighted => {
                let suspects = self.grounded_suspects(bad, view);
                let prior = Prior::recent(&suspects);
                (suspects, DagKind::Mass(prior))
            }
            _ => (self.grounded_suspects(bad, view), DagKind::Mass(Prior::Uniform)),
        };
        Stage::Dag { search: DagSearch::new(&self.graph, kind, bad, suspects) }
    }

    /// A history of its own that was merged in may hold the culprit; only where it never passed is it left aside.
    fn bayes(&self, task: &Task, view: View<'_>) -> Stage {
        let bad = task.bad;
        let suspects = if task.sides.is_empty() {
            let mut suspects = self.ground.suspects_and_roots(&self.graph, view, bad);
            suspects.insert(bad as usize);
            suspects
        } else {
            self.grounded_suspects(bad, view)
        };
        match view.flaky {
            Some(flaky) => Stage::Bayes { search: Box::new(BayesSearch::new(&self.graph, flaky, bad, &suspects)) },
            None => self.dag(bad, SearchKind::Auto, view),
        }
    }

    /// The belief at hand, where there is one.
    pub(super) fn belief(&self) -> Option<&BayesSearch> {
        match &self.task.as_ref()?.stage {
            Stage::Bayes { search } => Some(search),
            _ => None,
        }
    }

    fn latest(&self, bad: Node, view: View<'_>) -> Stage {
        let suspects = self.grounded_suspects(bad, view);
        let prior = Prior::latest(&self.graph, &suspects, bad);
        Stage::Dag { search: DagSearch::new(&self.graph, DagKind::Mass(prior), bad, suspects).afresh(view) }
    }

    /// A history of its own without a passing revision holds no regression point; git looks there too.
    fn grounded_suspects(&self, bad: Node, view: View<'_>) -> FixedBitSet {
        let mut suspects = self.ground.suspects(&self.graph, view, bad);
        self.ground.keep_grounded(&mut suspects);
        suspects.insert(bad as usize);
        suspects
    }

    /// The search has come down to a revision without a passing ancestor: git's choice led it there, or a root that
    /// was taken to pass does not. Where the leaf still has one, the edge that it asks for is elsewhere, and this
    /// side is followed afterwards.
    fn lose_footing(&self, task: &mut Task) -> Step {
        let leaf = self.leaves[task.leaf].node;
        if task.bad != leaf && self.ground.is_grounded(leaf) {
            task.sides.push(task.bad);
            return task.enter(leaf);
        }
        task.sides.clear();
        task.enter(task.bad)
    }

    /// Makes sure of the edge below `bad`, goes on into failing parents, and ends with a point.
    fn edge(&mut self, task: &mut Task, low: Option<Node>, afoot: Afoot, view: View<'_>) -> Step {
        let clean = self.config.clean;
        // A path under the virtual root may have met a passing revision after all.
        let afoot = if self.ground.is_grounded(task.bad) { Afoot::Revision } else { afoot };
        let graph = Arc::clone(&self.graph);
        let parents = graph.parents(task.bad);
        let mut passing = low.filter(|low| parents.contains(low) && view.outcome(*low) == Some(Outcome::Pass));
        let mut failing = None;
        // The end of the path first; then each parent in order.
        for &parent in low.iter().filter(|low| parents.contains(low)).chain(parents) {
            match view.outcome(parent) {
                Some(Outcome::Pass) => passing = passing.or(Some(parent)),
                Some(Outcome::Unresolved) => {}
                Some(Outcome::Fail) => {
                    if task.sides.contains(&parent) {
                        continue;
                    }
                    match (afoot, self.ground.footing(&graph, view, parent)) {
                        (Afoot::Virtual, _) | (_, Footing::Grounded) if clean => return task.enter(parent),
                        (Afoot::Virtual, _) | (_, Footing::Grounded) => failing = failing.or(Some(parent)),
                        (_, Footing::Ask(node)) if clean => return Step::Ask(node, 0.5),
                        (_, Footing::Virtual) if clean => task.sides.push(parent),
                        _ => {}
                    }
                }
                None if clean || passing.is_none() => {
                    let assumed = low == Some(parent) || self.ground.covers(parent);
                    return Step::Ask(parent, if assumed { UNEXPECTED } else { 0.5 });
                }
                None => {}
            }
        }
        let good = match (passing, failing) {
            (Some(passing), _) => Some(passing),
            // No parent passes, and one fails that has a passing ancestor: the point is further down.
            (None, Some(failing)) => return task.enter(failing),
            (None, None) if afoot == Afoot::Virtual => None,
            // What it stood on does not pass after all.
            (None, None) if !self.ground.is_grounded(task.bad) => return self.lose_footing(task),
            (None, None) => {
                let ground = Arc::make_mut(&mut self.ground);
                ground.measure(&graph, view);
                let nearest = ground.distances().path(&graph, task.bad)[0];
                let low = low.filter(|&low| view.outcome(low) == Some(Outcome::Pass)).unwrap_or(nearest);
                if view.outcome(low).is_none() {
                    return Step::Ask(low, UNEXPECTED);
                }
                Some(low)
            }
        };
        let point = self.point(good, task.bad);
        if !task.points.contains(&point) {
            task.points.push(point);
        }
        if let Some(probability) = task.probability {
            let least = self.points[point].probability.map_or(probability, |other| other.min(probability));
            self.points[point].probability = Some(least);
        }
        if clean && !task.sides.is_empty() {
            let side = task.sides.remove(0);
            return task.enter(side);
        }
        Step::Over
    }

    fn point(&mut self, good: Option<Node>, bad: Node) -> usize {
        let same = |point: &Point| (point.good, point.bad) == (good, bad);
        self.points.iter().position(same).unwrap_or_else(|| {
            self.points.push(Point { good, bad, leaves: Vec::new(), probability: None });
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
        // Where nothing passes below, only leaves that stand on nothing else have their answer.
        let rootless = self.points[main].good.is_none();
        let mut covered = Arc::clone(&self.covered);
        let set = Arc::make_mut(&mut covered);
        let mut stack = vec![self.points[main].bad];
        while let Some(node) = stack.pop() {
            if rootless && self.ground.is_grounded(node) {
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

enum Step {
    Ask(Node, f64),
    Again,
    Over,
    /// The leaf ends without a point.
    NoAnswer(Ending),
}

impl Task {
    fn enter(&mut self, bad: Node) -> Step {
        self.bad = bad;
        self.stage = Stage::Enter;
        Step::Again
    }
}
