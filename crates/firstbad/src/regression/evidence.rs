//! The known outcomes of the revisions.

use hashbrown::HashSet;

use super::ends::Ends;
use super::outcomes::{Outcomes, View};
use super::reliability::Test;
use crate::graph::Node;
use crate::search::{Doubt, Observation, Outcome};

/// The known outcomes, and the test that they come from.
#[derive(Debug)]
pub(super) struct Evidence {
    pub(super) test: Test,
    pub(super) outcomes: Outcomes,
    revisions: usize,
    /// The number of observations.
    told: usize,
    /// Whether any outcome was pass or fail.
    is_resolved: bool,
    /// The unresolved revisions.
    untestable: HashSet<Node>,
    /// The reason why revisions were unresolved.
    obstacle: Obstacle,
}

/// The reason why revisions were unresolved.
#[derive(Debug, Default)]
enum Obstacle {
    #[default]
    None,
    Same(Doubt),
    Several,
}

impl Evidence {
    pub(super) fn new(test: Test, revisions: usize) -> Self {
        let (is_resolved, untestable, obstacle) = (false, HashSet::new(), Obstacle::None);
        Evidence { test, outcomes: Outcomes::new(revisions), revisions, told: 0, is_resolved, untestable, obstacle }
    }

    /// The outcomes, with supposed outcomes added.
    pub(super) fn supposing<'a>(&'a self, supposed: &'a [(Node, Outcome)]) -> View<'a> {
        View { outcomes: &self.outcomes, flaky: self.test.flaky(), supposed }
    }

    /// The known outcomes.
    pub(super) fn view(&self) -> View<'_> {
        self.supposing(&[])
    }

    /// Adds an observation.
    pub(super) fn learn(&mut self, ends: &Ends, revision: Node, observation: &Observation) {
        self.told += 1;
        match observation.outcome {
            Outcome::Unresolved => {
                self.untestable.insert(revision);
                self.obstacle = match (std::mem::take(&mut self.obstacle), observation.doubt()) {
                    (Obstacle::None, Some(doubt)) => Obstacle::Same(doubt),
                    (Obstacle::Same(known), Some(doubt)) if known.reason == doubt.reason => Obstacle::Same(known),
                    _ => Obstacle::Several,
                };
            }
            Outcome::Pass | Outcome::Fail => self.is_resolved = true,
        }
        if let Some(outcome) = self.test.learn(ends, revision, observation) {
            self.outcomes.add(revision, outcome);
        }
    }

    pub(super) fn told(&self) -> usize {
        self.told
    }

    /// The number of unresolved revisions, if no revision was resolved.
    pub(super) fn none_testable(&self) -> Option<usize> {
        (!self.is_resolved && !self.untestable.is_empty()).then_some(self.untestable.len())
    }

    /// Returns the reason why revisions were unresolved, if it was the same each time.
    pub(super) fn obstacle(&self) -> Option<&Doubt> {
        match &self.obstacle {
            Obstacle::Same(doubt) => Some(doubt),
            Obstacle::None | Obstacle::Several => None,
        }
    }

    /// Interprets all observations again, with unknown rates of a flaky test.
    pub(super) fn give_up_rates(&mut self, ends: &Ends) {
        self.outcomes = Outcomes::new(self.revisions);
        let mut untestable: Vec<Node> = self.untestable.iter().copied().collect();
        untestable.sort_unstable();
        let unresolved = untestable.into_iter().map(|revision| (revision, Outcome::Unresolved));
        let by_runs = self.test.give_up_rates();
        for (revision, outcome) in self.test.given(ends).into_iter().chain(unresolved).chain(by_runs) {
            self.outcomes.add(revision, outcome);
        }
    }

    /// Forgets all observations and keeps the outcomes given for the endpoints.
    pub(super) fn begin_with(&mut self, ends: &Ends) {
        self.outcomes = Outcomes::new(self.revisions);
        self.test.forget();
        (self.told, self.is_resolved) = (0, false);
        (self.untestable, self.obstacle) = (HashSet::new(), Obstacle::None);
        for (end, outcome) in self.test.given(ends) {
            self.outcomes.add(end, outcome);
        }
    }
}
