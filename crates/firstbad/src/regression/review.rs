//! A review at the end of a search, which makes the result independent of the order of the outcomes.
//!
//! With several probes in flight, an outcome can arrive after the search has passed its revision, or after the search
//! has ended. The review repeats the search with all outcomes known from the start. It asks for more runs only if the
//! result leaves a choice.

use super::algorithm::Regression;
use super::outcomes::View;
use super::rpa::{Leaf, Next, Point, Rpa};
use crate::graph::Node;
use crate::search::{Algorithm as _, Outcome};

impl Regression {
    /// Repeats the search if there are outcomes that it may have missed.
    pub(super) fn review(&mut self) {
        let told = self.evidence.told();
        let reviewed = self.reviewed.replace(told);
        let unordered = std::mem::take(&mut self.unordered);
        let is_settled = self.is_settled(&self.rpa);
        if self.repeats() {
            // A belief includes each run when it arrives, so it can only miss runs after its end.
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
        // An edge that a passing revision clears does not fully explain the failure of a leaf.
        let is_cleared = || self.rpa.points.iter().any(|point| self.rpa.passing().clears(point.bad));
        let is_as_good = || matches!(next, Some(Next::Done)) && (self.is_settled(&rpa) || is_cleared());
        if !is_settled || is_as_good() {
            (self.rpa, self.next, self.evidence.outcomes) = (rpa, next, outcomes);
        }
    }

    /// Whether no further outcome can narrow the result.
    fn is_settled(&self, rpa: &Rpa) -> bool {
        // A failing parent had no passing ancestor when the search ended, and has one now.
        let goes_on = |&parent: &Node| {
            self.evidence.outcomes.of(parent) == Some(Outcome::Fail) && rpa.passing().has_passing_ancestor(parent)
        };
        let goes_on = |point: &Point| self.config.check_parents && self.graph.parents(point.bad).iter().any(goes_on);
        let is_settled_point = |point: &Point| self.is_edge(rpa, point) && (self.repeats() || !goes_on(point));
        let is_settled = |leaf: &Leaf| match leaf.points.as_slice() {
            [] => !self.repeats(),
            points => rpa.has_change(leaf) && points.iter().all(|&point| is_settled_point(&rpa.points[point])),
        };
        rpa.leaves.iter().all(is_settled)
    }
}
