//! From a failing revision down to an edge: how to search below it, and what to do when nothing passes there.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::Rpa;
use super::edge::UNEXPECTED;
use super::task::{PathStart, Step, Task, TaskState};
use crate::graph::Node;
use crate::regression::bayes::{BayesSearch, BayesStep};
use crate::regression::config::{Prefer, SearchKind};
use crate::regression::dag::{DagKind, DagSearch, DagStep, Prior};
use crate::regression::known_passing::{KnownPassing, PassingAncestor};
use crate::regression::outcomes::View;
use crate::regression::path::{PathKind, PathSearch, PathStep};
use crate::regression::report::Ending;
use crate::search::Outcome;

impl Rpa {
    /// Goes on with a task.
    pub(super) fn step(&mut self, task: &mut Task, view: View<'_>) -> Step {
        if view.flaky.is_none() && task.rests_on_passing() && !self.passing.has_passing_ancestor(task.bad) {
            // The root that was assumed to pass does not pass.
            return self.redirect(task);
        }
        match &mut task.state {
            TaskState::Enter => self.enter(task, view),
            TaskState::Path { path, search, start, seen } => {
                let start = *start;
                let shift = start.shift();
                match search.next(|position| view.outcome(path[position - shift])) {
                    PathStep::Ask { position, fail_chance } => {
                        // Ranks ascend along a path.
                        let place = |node: Node| path.binary_search(&node).ok().map(|place| place + shift);
                        let known = view.since(*seen).filter_map(|(node, outcome)| Some((place(node)?, outcome)));
                        let shorter = self.config.shares() && search.learn(&known.collect::<Vec<_>>());
                        *seen = view.len();
                        if shorter { Step::Again } else { Step::Ask(path[position - shift], fail_chance) }
                    }
                    PathStep::Done { low, high } => {
                        task.bad = path[high - shift];
                        let low = low.checked_sub(shift).map(|low| path[low]);
                        task.state = TaskState::Edge { low, start };
                        Step::Again
                    }
                }
            }
            TaskState::Dag { .. } => self.step_on_dag(task, view),
            TaskState::Bayes { search } => {
                let Some(flaky) = view.flaky else { return Step::NoAnswer(Ending::Contradictory) };
                let leaf = self.leaves[task.leaf].node;
                let (node, probability, told_apart) = match search.next(&self.graph, view, flaky, &self.passing) {
                    BayesStep::Ask { node, fail_chance } => return Step::Ask(node, fail_chance),
                    BayesStep::Flake if search.bad() == leaf => return Step::NoAnswer(Ending::NotReproduced),
                    // A parent that was believed to fail passes after all: back to the leaf.
                    BayesStep::Flake if view.outcome(search.bad()) == Some(Outcome::Pass) => return task.enter(leaf),
                    BayesStep::Below(node) => return task.enter(node),
                    BayesStep::OtherRates => return Step::OtherRates,
                    BayesStep::Flake | BayesStep::Contradictory => return Step::NoAnswer(Ending::Contradictory),
                    BayesStep::Inseparable { suspects, probability } => {
                        task.bad = suspects.last().copied().unwrap_or(task.bad);
                        if let PassingAncestor::Ask(node) = self.passing.passing_ancestor(&self.graph, view, task.bad) {
                            return Step::Ask(node, 0.5);
                        }
                        task.probability = Some(probability);
                        return self.end_inseparable(task, suspects, view);
                    }
                    BayesStep::Culprit { node, probability, told_apart } => (node, probability, told_apart),
                };
                task.told_apart = told_apart;
                self.arrive(task, node, Some(probability), view)
            }
            TaskState::Around { .. } => self.step_around(task, view),
            TaskState::Edge { low, start } => {
                let (low, start) = (*low, *start);
                self.edge(task, low, start, view)
            }
        }
    }

    /// Goes on with a search on the DAG. Once it has come down to a revision that has no passing ancestor, but one that a passing
    /// revision clears, that one is asked; should it not pass, the search begins again with what has a passing ancestor.
    fn step_on_dag(&mut self, task: &mut Task, view: View<'_>) -> Step {
        let TaskState::Dag { search, base } = &mut task.state else { return Step::Again };
        let step = search.next(&self.graph, view, &self.passing);
        let bad = search.bad();
        *base = None;
        if self.config.search != SearchKind::Halving && !self.passing.has_passing_ancestor(bad) {
            let leaf = self.leaves[task.leaf].node;
            if !self.passing.is_misled(view) {
                *base = self.passing.base_to_ask(&self.graph, view, bad);
            } else if task.sides.is_empty() && self.passing.has_passing_ancestor(leaf) {
                return task.enter(leaf);
            }
        }
        match (*base, step) {
            (Some(base), _) => Step::Ask(base, UNEXPECTED),
            (None, DagStep::Ask { node, fail_chance }) => Step::Ask(node, fail_chance),
            (None, DagStep::Done) => self.arrive(task, bad, None, view),
        }
    }

    /// A search on the DAG has come down to `bad`: on to its edge, once it is known what that stands on.
    fn arrive(&mut self, task: &mut Task, bad: Node, probability: Option<f64>, view: View<'_>) -> Step {
        let ancestor = self.passing.passing_ancestor(&self.graph, view, bad);
        if let PassingAncestor::Ask(node) = ancestor {
            return Step::Ask(node, 0.5);
        }
        task.bad = bad;
        task.probability = probability.or(task.probability);
        if let PassingAncestor::Missing = ancestor {
            return self.redirect(task);
        }
        task.state = TaskState::Edge { low: None, start: PathStart::Revision };
        Step::Again
    }

    fn enter(&mut self, task: &mut Task, view: View<'_>) -> Step {
        match self.passing.passing_ancestor(&self.graph, view, task.bad) {
            PassingAncestor::Ask(node) => return Step::Ask(node, 0.5),
            PassingAncestor::Known => {
                let bad = task.bad;
                let first = bad == self.leaves[task.leaf].node;
                task.state = match (self.config.search, self.config.prefer) {
                    (SearchKind::Linear, _) => self.path(bad, PathKind::Linear, view),
                    (SearchKind::Binary, _) => self.path(bad, PathKind::Binary, view),
                    (SearchKind::Multiplying, _) => self.path(bad, PathKind::Multiplying, view),
                    (SearchKind::Gallop, _) => self.path(bad, PathKind::Gallop, view),
                    (SearchKind::Auto, Prefer::Latest) if first => self.latest(bad, view),
                    (SearchKind::Bayes, _) => self.bayes(task, view),
                    (kind, _) => self.dag(task, kind, view),
                };
            }
            // With a flaky test the failure itself is in question first.
            PassingAncestor::Missing if view.flaky.is_some() && task.probability.is_none() => {
                task.state = self.bayes(task, view);
            }
            PassingAncestor::Missing => {
                let path: Arc<[Node]> = KnownPassing::path_from_root(&self.graph, task.bad).into();
                let kind = match self.config.search {
                    SearchKind::Linear => PathKind::Linear,
                    SearchKind::Multiplying => PathKind::Multiplying,
                    SearchKind::Gallop => PathKind::Gallop,
                    _ => PathKind::Binary,
                };
                // If its root fails there is nothing to search: a history that never passed.
                let length = if view.outcome(path[0]) == Some(Outcome::Fail) { 1 } else { path.len() };
                task.state =
                    TaskState::Path { search: PathSearch::new(kind, length), path, start: PathStart::Virtual, seen: 0 };
            }
        }
        Step::Again
    }

    fn path(&mut self, bad: Node, kind: PathKind, view: View<'_>) -> TaskState {
        let passing = Arc::make_mut(&mut self.passing);
        passing.measure(&self.graph, view);
        let path: Arc<[Node]> = passing.distances().path(&self.graph, bad).into();
        TaskState::Path { search: PathSearch::new(kind, path.len() - 1), path, start: PathStart::Revision, seen: 0 }
    }

    fn dag(&self, task: &Task, kind: SearchKind, view: View<'_>) -> TaskState {
        let bad = task.bad;
        let (suspects, kind) = match kind {
            SearchKind::Halving if task.sides.is_empty() => {
                (self.passing.suspects(&self.graph, view, bad), DagKind::Git)
            }
            SearchKind::Weighted => {
                let suspects = self.suspects_of(task, view);
                let prior = Prior::recent(&suspects).times(&self.graph, &suspects, self.prior.as_deref());
                (suspects, DagKind::Mass(prior))
            }
            _ => {
                let suspects = self.suspects_of(task, view);
                let prior = Prior::Uniform.times(&self.graph, &suspects, self.prior.as_deref());
                (suspects, DagKind::Mass(prior))
            }
        };
        TaskState::Dag { search: DagSearch::new(&self.graph, kind, &self.costs, bad, suspects), base: None }
    }

    /// A history of its own that was merged in may hold the culprit; it is left aside only if it never passed.
    fn bayes(&self, task: &Task, view: View<'_>) -> TaskState {
        let bad = task.bad;
        let suspects = if task.sides.is_empty() {
            let mut suspects = self.passing.suspects_and_roots(&self.graph, view, bad);
            suspects.insert(bad as usize);
            suspects
        } else {
            self.suspects_above_passing(bad, view)
        };
        match view.flaky {
            Some(flaky) => {
                let is_end = bad == self.leaves[task.leaf].node;
                TaskState::Bayes {
                    search: Box::new(BayesSearch::new(
                        &self.graph,
                        flaky,
                        bad,
                        is_end,
                        &suspects,
                        self.prior.as_deref(),
                        &self.costs,
                    )),
                }
            }
            None => self.dag(task, SearchKind::Auto, view),
        }
    }

    fn latest(&self, bad: Node, view: View<'_>) -> TaskState {
        let suspects = self.suspects_above_passing(bad, view);
        let prior = Prior::latest(&self.graph, &suspects, bad).times(&self.graph, &suspects, self.prior.as_deref());
        let search = DagSearch::new(&self.graph, DagKind::Mass(prior), &self.costs, bad, suspects);
        TaskState::Dag { search: search.afresh(view), base: None }
    }

    /// The suspects of a task, with those that come from what a passing revision clears; whether that passes is asked as soon as
    /// the search has come down to one of them. If it was led to where nothing passes, only what has a passing ancestor.
    fn suspects_of(&self, task: &Task, view: View<'_>) -> FixedBitSet {
        if !task.sides.is_empty() {
            return self.suspects_above_passing(task.bad, view);
        }
        let mut suspects = self.passing.suspects(&self.graph, view, task.bad);
        self.passing.keep_those_that_come_from_passing(&self.graph, view, &mut suspects);
        suspects.insert(task.bad as usize);
        suspects
    }

    /// A history of its own without a passing revision holds no regression point; git looks there too.
    fn suspects_above_passing(&self, bad: Node, view: View<'_>) -> FixedBitSet {
        let mut suspects = self.passing.suspects(&self.graph, view, bad);
        self.passing.keep_those_above(&mut suspects);
        suspects.insert(bad as usize);
        suspects
    }

    /// The search has come down to a revision without a passing ancestor: git's choice led it there, or a root that
    /// was taken to pass does not. If the leaf still has one, the edge that it asks for is elsewhere, and this
    /// side is followed afterwards.
    pub(super) fn redirect(&self, task: &mut Task) -> Step {
        let leaf = self.leaves[task.leaf].node;
        if task.bad != leaf && self.passing.has_passing_ancestor(leaf) {
            task.sides.push(task.bad);
            return task.enter(leaf);
        }
        task.sides.clear();
        task.enter(task.bad)
    }
}
