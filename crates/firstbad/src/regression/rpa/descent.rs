//! The descent from a failing revision to an edge, and what happens if nothing passes there.

use super::Rpa;
use super::task::{Step, Task, TaskState};
use crate::graph::Node;
use crate::regression::known_passing::PassingAncestor;
use crate::regression::outcomes::View;
use crate::regression::strategy::{Found, Ground, PathStart, choose};

impl Rpa {
    /// Continues a task.
    pub(super) fn step(&mut self, task: &mut Task, view: View<'_>) -> Step {
        if view.flaky.is_none() && task.rests_on_passing() && !self.passing.has_passing_ancestor(task.bad) {
            // The root that was assumed to pass does not pass.
            return self.redirect(task);
        }
        let ground = self.ground(task, view);
        match &mut task.state {
            TaskState::Enter => self.enter(task, view),
            TaskState::Search(search) => {
                let found = search.strategy_mut().advance(&ground);
                self.take(task, found, view)
            }
            TaskState::Around { .. } => self.step_around(task, view),
            TaskState::Edge { low, start } => {
                let (low, start) = (*low, *start);
                self.edge(task, low, start, view)
            }
        }
    }

    fn ground<'a>(&'a mut self, task: &Task, view: View<'a>) -> Ground<'a> {
        Ground {
            graph: &self.graph,
            config: &self.config,
            prior: self.prior.as_deref(),
            costs: &self.costs,
            passing: &mut self.passing,
            view,
            leaf: self.leaves[task.leaf].node,
            has_sides: !task.sides.is_empty(),
        }
    }

    /// Starts the search below `task.bad`, once it is known whether an ancestor passes.
    fn enter(&mut self, task: &mut Task, view: View<'_>) -> Step {
        let ancestor = self.passing.passing_ancestor(&self.graph, view, task.bad);
        if let PassingAncestor::Ask(node) = ancestor {
            return Step::Ask(node, 0.5);
        }
        let has_passing_ancestor = matches!(ancestor, PassingAncestor::Known);
        let is_proven = task.probability.is_some();
        let search = choose(&mut self.ground(task, view), task.bad, has_passing_ancestor, is_proven);
        task.state = TaskState::Search(search);
        Step::Again
    }

    /// Continues with the result of a search.
    fn take(&mut self, task: &mut Task, found: Found, view: View<'_>) -> Step {
        match found {
            Found::Ask { node, fail_chance } => Step::Ask(node, fail_chance),
            Found::Again => Step::Again,
            Found::Edge { low, bad, start } => {
                task.bad = bad;
                task.state = TaskState::Edge { low, start };
                Step::Again
            }
            Found::Culprit { node, probability, told_apart } => {
                task.told_apart = told_apart;
                self.arrive(task, node, probability, view)
            }
            Found::Inseparable { suspects, probability } => {
                task.bad = suspects.last().copied().unwrap_or(task.bad);
                if let PassingAncestor::Ask(node) = self.passing.passing_ancestor(&self.graph, view, task.bad) {
                    return Step::Ask(node, 0.5);
                }
                task.probability = Some(probability);
                self.end_inseparable(task, suspects, view)
            }
            Found::Below(node) => task.enter(node),
            Found::OtherRates => Step::OtherRates,
            Found::NoAnswer(ending) => Step::NoAnswer(ending),
        }
    }

    /// Continues with the edge below `bad`, once it is known whether an ancestor of it passes.
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

    /// Handles a search that has reached a revision without a passing ancestor. Either Git's choice led it there, or a root that
    /// was assumed to pass does not. If the leaf has a passing ancestor, the edge is elsewhere, and this side is searched
    /// afterwards.
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
