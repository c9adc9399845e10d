//! The search around unresolved revisions. If a point has an unresolved parent, the revisions behind that parent are
//! tested before the point is reported.
//!
//! If one of them fails, the search continues there. If all of them pass, the unresolved revisions remain candidates.

use fixedbitset::FixedBitSet;

use super::Rpa;
use super::task::{Step, Task, TaskState};
use crate::graph::Node;
use crate::regression::known_passing::PassingAncestor;
use crate::regression::outcomes::View;
use crate::regression::strategy::{DagKind, DagSearch, DagStep, PathStart, Prior};
use crate::search::Outcome;

impl Rpa {
    /// Whether an unresolved parent of a failing revision may also be the culprit.
    pub(in crate::regression) fn has_open_parent(&self, view: View<'_>, bad: Node) -> bool {
        let parents = self.graph.parents(bad).iter().copied();
        let mut unresolved = parents.filter(|&parent| view.outcome(parent) == Some(Outcome::Unresolved)).peekable();
        unresolved.peek().is_some() && {
            let cleared = self.passing.cleared_before(&self.graph, view, bad);
            unresolved.any(|parent| !cleared.contains(parent as usize))
        }
    }

    /// Whether the revisions behind `task.bad` must be tested before its point is reported.
    pub(super) fn is_to_go_around(&self, task: &Task, good: Option<Node>, view: View<'_>) -> bool {
        if view.flaky.is_some() || task.around == Some(task.bad) {
            return false;
        }
        let is_edge = good.is_some_and(|good| self.graph.parents(task.bad).contains(&good));
        !is_edge || self.config.check_parents && self.has_open_parent(view, task.bad)
    }

    /// Starts testing the revisions behind `task.bad`.
    pub(super) fn go_around(&self, task: &mut Task, low: Option<Node>, start: PathStart, view: View<'_>) -> Step {
        let suspects = self.suspects_behind(task, view);
        // A path search has already tested its own range.
        let asks = self.config.check_parents && start == PathStart::Revision && !self.is_stretch(&suspects, low);
        let prior = Prior::Uniform.times(&self.graph, &suspects, self.prior.as_deref());
        let search = DagSearch::new(&self.graph, DagKind::Mass(prior), &self.costs, task.bad, suspects);
        task.state = TaskState::Around { search, low, start, asks };
        Step::Again
    }

    /// Continues the search behind `task.bad`.
    pub(super) fn step_around(&self, task: &mut Task, view: View<'_>) -> Step {
        let TaskState::Around { search, low, start, asks } = &mut task.state else { return Step::Again };
        let (low, start, asks) = (*low, *start, *asks);
        match search.next(&self.graph, view, &self.passing) {
            DagStep::Ask { node, fail_chance } if asks => return Step::Ask(node, fail_chance),
            DagStep::Ask { .. } | DagStep::Done => {}
        }
        let found = search.bad();
        if found == task.bad {
            task.around = Some(found);
            task.state = TaskState::Edge { low, start };
            if let Some(proven) = self.proven_edge(task, view) {
                task.bad = proven;
                task.state = TaskState::Edge { low: None, start };
            }
            return Step::Again;
        }
        match (start, self.passing.passing_ancestor(&self.graph, view, found)) {
            (PathStart::Virtual, _) | (_, PassingAncestor::Known) => {
                task.bad = found;
                task.state = TaskState::Edge { low: None, start };
                Step::Again
            }
            (_, PassingAncestor::Ask(node)) if asks => Step::Ask(node, 0.5),
            // No ancestor of this failure passes, so the start of its history is reported in addition to the point.
            _ => {
                task.sides.push(found);
                self.go_around(task, low, start, view)
            }
        }
    }

    /// Returns another culprit for the leaf of a task: a failing revision whose parents all passed.
    fn proven_edge(&self, task: &Task, view: View<'_>) -> Option<Node> {
        let leaf = self.leaves[task.leaf].node;
        if !self.config.check_parents || !self.passing.has_passing_ancestor(leaf) {
            return None;
        }
        let is = |node: Node, outcome: Outcome| view.outcome(node) == Some(outcome);
        let is_proven = |&node: &Node| {
            let parents = self.graph.parents(node);
            is(node, Outcome::Fail) && !parents.is_empty() && parents.iter().all(|&parent| is(parent, Outcome::Pass))
        };
        self.passing.suspects_and_roots(&self.graph, view, leaf).ones().map(|node| node as Node).find(is_proven)
    }

    /// Returns the suspects for `task.bad`, without the sides that are followed separately.
    fn suspects_behind(&self, task: &Task, view: View<'_>) -> FixedBitSet {
        let mut suspects = self.passing.suspects_and_roots(&self.graph, view, task.bad);
        suspects.difference_with(&self.graph.ancestors(&task.sides));
        suspects.insert(task.bad as usize);
        suspects
    }

    /// Whether the suspects form a line that starts right after `low`.
    fn is_stretch(&self, suspects: &FixedBitSet, low: Option<Node>) -> bool {
        let before = low.into_iter().chain(suspects.ones().map(|node| node as Node));
        low.is_some() && before.zip(suspects.ones()).all(|(before, node)| self.graph.parents(node as Node) == [before])
    }
}
