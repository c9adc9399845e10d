//! The choice of the failure to search for. A culprit that fails in another way than the bad revision is not the final
//! result.
//!
//! The plain search treats all failures alike. If its culprit fails in another way than the bad revision, all outcomes
//! are read again, with other failures as unresolved. The search continues until it finds the commit that introduced
//! the failure of the bad revision.

use super::algorithm::Regression;
use super::distinguish::DistinguishFailures;
use super::failure_names::{FailureNames, Turn};
use super::rpa::{Next, Point};
use crate::finding::find::Find;
use crate::graph::Node;
use crate::search::{Algorithm as _, Outcome, Reading, around_difference};

/// The number of failures, all different, that show that the test prints something else each time.
const VARYING: usize = 4;

impl Regression {
    /// Forgets the failures, and makes every failure count again.
    pub(super) fn forget_failures(&mut self) {
        self.failures = FailureNames::default();
        self.turn = Turn::Any;
        self.ends.distinguish(self.config.distinguish_failures == DistinguishFailures::Always(true));
    }

    /// Decides whether to read all outcomes again with other failures as unresolved, once the plain search has a
    /// result.
    pub(super) fn reconsider_failures(&mut self) -> Reading {
        let decides = matches!(self.config.distinguish_failures, DistinguishFailures::Auto(_));
        if !decides || self.repeats() || self.config.find == Find::Fix {
            return Reading::Stands;
        }
        let turn = match &self.turn {
            Turn::Any => self.point_of_another_failure().cloned().map(Turn::This),
            Turn::This(_) if self.failures.vary(VARYING) => Some(Turn::GivenUp),
            Turn::This(_) | Turn::GivenUp => None,
        };
        let Some(turn) = turn else { return Reading::Stands };
        self.ends.distinguish(matches!(turn, Turn::This(_)));
        self.turn = turn;
        Reading::Anew
    }

    /// Returns the point whose newer side fails in another way than all bad revisions.
    fn point_of_another_failure(&self) -> Option<&Point> {
        if !matches!(self.next, Some(Next::Done))
            || self.contradicted_end().is_some()
            || self.failures.vary(VARYING - 1)
        {
            return None;
        }
        let mut ends = self.rpa.leaves.iter().map(|leaf| self.failures.at(leaf.node));
        let sought = ends.next().flatten()?;
        if !ends.all(|end| end == Some(sought)) {
            return None;
        }
        let fails_otherwise = |point: &&Point| {
            point.good.is_some() && self.failures.at(point.bad).is_some_and(|failure| failure != sought)
        };
        self.rpa.points.iter().filter(|point| self.counts(point)).find(fails_otherwise)
    }

    /// Describes the commit since which the test fails in another way.
    pub(super) fn of_another_failure(&self) -> Option<String> {
        let Turn::This(other) = &self.turn else { return None };
        let leaf = self.rpa.leaves.first()?.node;
        let [mine, theirs] = around_difference([self.failures.at(other.bad)?, self.failures.at(leaf)?]);
        let id = |node: Node| self.graph.id(node);
        let is_newest = |point: &&Point| self.evidence.outcomes.of(point.bad) == Some(Outcome::Fail);
        let since = self.rpa.points.iter().find(is_newest).map_or(leaf, |point| point.bad);
        Some(format!(
            "the test fails in another way since {} ({mine:?}), and since {} as at {} ({theirs:?})",
            id(other.bad),
            id(since),
            id(leaf)
        ))
    }
}
