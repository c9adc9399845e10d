//! A last look before an answer: it follows from all outcomes, in whatever order they were told.
//!
//! With several probes in flight an outcome may arrive after the search has passed its place, or after its end. So the search is
//! done again with all outcomes known from the start. That asks nothing more unless the answer leaves a choice.

use super::algorithm::Regression;
use super::outcomes::View;
use super::rpa::{Leaf, Next, Point, Rpa};
use crate::graph::Node;
use crate::search::{Algorithm as _, Outcome};

impl Regression {
    /// Looks at an end again if outcomes were told that the search may not have taken in.
    pub(super) fn review(&mut self) {
        let told = self.evidence.told();
        let reviewed = self.reviewed.replace(told);
        let unordered = std::mem::take(&mut self.unordered);
        let is_settled = self.is_settled(&self.rpa);
        if self.repeats() {
            // A belief takes in each run when it is told, and only runs after the end are left.
            if reviewed.is_some_and(|before| before < told) && !is_settled {
                self.begin_search();
            }
            return;
        }
        if reviewed == Some(told) || is_settled && !unordered {
            return;
        }
        let outcomes = self.evidence.outcomes.in_any_order();
        let view = View { outcomes: &outcomes, flaky: None, supposed: &[] };
        let mut rpa = self.rpa.clone();
        rpa.begin(self.leaves(), self.assumed(), view);
        let next = rpa.advance(view);
        // An edge that a passing revision clears explains no leaf's failure by itself.
        let is_cleared = || self.rpa.points.iter().any(|point| self.rpa.passing().clears(point.bad));
        let is_as_good = || matches!(next, Some(Next::Done)) && (self.is_settled(&rpa) || is_cleared());
        if !is_settled || is_as_good() {
            (self.rpa, self.next, self.evidence.outcomes) = (rpa, next, outcomes);
        }
    }

    /// Whether no further outcome can make an answer narrower.
    fn is_settled(&self, rpa: &Rpa) -> bool {
        // A failing parent was told to have no passing ancestor, and has one by now.
        let goes_on = |&parent: &Node| {
            self.evidence.outcomes.of(parent) == Some(Outcome::Fail) && rpa.passing().has_passing_ancestor(parent)
        };
        let goes_on = |point: &Point| self.config.clean && self.graph.parents(point.bad).iter().any(goes_on);
        let is_settled_point = |point: &Point| self.is_edge(rpa, point) && (self.repeats() || !goes_on(point));
        let is_settled = |leaf: &Leaf| match leaf.points.as_slice() {
            [] => !self.repeats(),
            points => rpa.has_change(leaf) && points.iter().all(|&point| is_settled_point(&rpa.points[point])),
        };
        rpa.leaves.iter().all(is_settled)
    }
}
