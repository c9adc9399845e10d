//! The edge below a failing revision: tests its parents and creates the point.

use std::sync::Arc;

use super::Rpa;
use super::task::{Step, Task};
use crate::graph::Node;
use crate::regression::known_passing::PassingAncestor;
use crate::regression::outcomes::View;
use crate::regression::strategy::{PathStart, UNEXPECTED};
use crate::search::Outcome;

impl Rpa {
    /// Ends with inseparable suspects. `task.bad` is the newest of them.
    pub(super) fn end_inseparable(&mut self, task: &mut Task, suspects: Vec<Node>, view: View<'_>) -> Step {
        let good = self.nearest_passing(task.bad, view);
        if let Some(nearest) = good.filter(|&nearest| view.outcome(nearest).is_none()) {
            return Step::Ask(nearest, UNEXPECTED);
        }
        self.add_point(task, good, Some(suspects));
        Step::Over
    }

    /// Returns the nearest ancestor of a revision that passes or is assumed to pass. With a flaky test, the revision
    /// itself may count as passing, but it is never its own older side.
    fn nearest_passing(&mut self, bad: Node, view: View<'_>) -> Option<Node> {
        let passing = Arc::make_mut(&mut self.passing);
        passing.measure(&self.graph, view);
        let before = self.graph.parents(bad).iter().copied().filter(|&parent| passing.has_passing_ancestor(parent));
        let parent = before.min_by_key(|&parent| passing.distances().to(parent).unwrap_or(u32::MAX));
        parent.map(|parent| passing.distances().path(&self.graph, parent)[0])
    }

    fn add_point(&mut self, task: &mut Task, good: Option<Node>, inseparable: Option<Vec<Node>>) {
        let point = self.point(good, task.bad, inseparable);
        if !task.points.contains(&point) {
            task.points.push(point);
        }
        if !task.told_apart.is_empty() {
            self.points[point].told_apart.clone_from(&task.told_apart);
        }
        if let Some(probability) = task.probability {
            let least = self.points[point].probability.map_or(probability, |other| other.min(probability));
            self.points[point].probability = Some(least);
        }
    }

    /// Tests the edge below `bad`, continues into failing parents, and ends with a point.
    pub(super) fn edge(&mut self, task: &mut Task, low: Option<Node>, start: PathStart, view: View<'_>) -> Step {
        let check_parents = self.config.check_parents;
        // A path from the virtual root can have met a passing revision.
        let start = if self.passing.has_passing_ancestor(task.bad) { PathStart::Revision } else { start };
        let graph = Arc::clone(&self.graph);
        let parents = graph.parents(task.bad);
        let mut passing = low.filter(|low| parents.contains(low) && view.outcome(*low) == Some(Outcome::Pass));
        let mut failing = None;
        // The end of the path first, then each parent in order.
        for &parent in low.iter().filter(|low| parents.contains(low)).chain(parents) {
            match view.outcome(parent) {
                _ if task.told_apart.contains(&parent) => passing = passing.or(Some(parent)),
                Some(Outcome::Pass) => passing = passing.or(Some(parent)),
                Some(Outcome::Unresolved) => {}
                Some(Outcome::Fail) => {
                    if task.sides.contains(&parent) {
                        continue;
                    }
                    match (start, self.passing.passing_ancestor(&graph, view, parent)) {
                        (PathStart::Virtual, _) | (_, PassingAncestor::Known) if check_parents => {
                            return task.enter(parent);
                        }
                        (PathStart::Virtual, _) | (_, PassingAncestor::Known) => failing = failing.or(Some(parent)),
                        (_, PassingAncestor::Ask(node)) if check_parents => return Step::Ask(node, 0.5),
                        (_, PassingAncestor::Missing) if check_parents => task.sides.push(parent),
                        _ => {}
                    }
                }
                None if check_parents || passing.is_none() => {
                    let assumed = low == Some(parent) || self.passing.clears(parent);
                    return Step::Ask(parent, if assumed { UNEXPECTED } else { 0.5 });
                }
                None => {}
            }
        }
        let good = match (passing, failing) {
            (Some(passing), _) => Some(passing),
            // No parent passes, and one that fails has a passing ancestor. The point is further down.
            (None, Some(failing)) => return task.enter(failing),
            (None, None) if start == PathStart::Virtual => None,
            // The assumed passing revision does not pass.
            (None, None) if !self.passing.has_passing_ancestor(task.bad) => return self.redirect(task),
            (None, None) => {
                let low = low.filter(|&low| view.outcome(low) == Some(Outcome::Pass));
                let low = low.or_else(|| self.nearest_passing(task.bad, view));
                if let Some(low) = low.filter(|&low| view.outcome(low).is_none()) {
                    return Step::Ask(low, UNEXPECTED);
                }
                low
            }
        };
        if self.is_to_go_around(task, good, view) {
            return self.go_around(task, low, start, view);
        }
        self.add_point(task, good, None);
        self.next_side(task)
    }

    /// Continues with the next side, if there is one.
    fn next_side(&self, task: &mut Task) -> Step {
        // If a revision passes after the start of a side, the side is not a history that never passed.
        task.sides.retain(|&side| !self.passing.clears(side));
        if task.sides.is_empty() {
            return Step::Over;
        }
        let side = task.sides.remove(0);
        task.enter(side)
    }
}
