//! Runs of the whole suite, which a search without tests and reports starts with.

use super::algorithm::Triage;
use super::config::red;
use super::reports::Missing;
use super::rule::MOST_ATTEMPTS;
use crate::graph::Node;
use crate::search::{Key, Observation, Outcome};

impl Triage {
    /// Returns the revisions at which the whole suite must run first.
    pub(super) fn unreported(&self) -> Vec<Node> {
        if self.is_build_broken() || self.is_suite_lost() {
            return Vec::new();
        }
        let Missing { at_bad, at_good, .. } = self.missing;
        // A suite that passes at the bad revision needs no comparison.
        let good = Some(self.good()).filter(|_| at_good && (at_bad || !self.reports.tests.is_empty()));
        Some(self.ends.bad).filter(|_| at_bad).into_iter().chain(good).collect()
    }

    /// Whether no test of the suite had a result at the bad revision, however often it was asked.
    pub(super) fn is_suite_lost(&self) -> bool {
        self.missing.attempts >= MOST_ATTEMPTS
    }

    /// Whether an outcome for this target is a missing report.
    pub(super) fn is_report(&self, key: Key, node: Node) -> bool {
        let Missing { at_bad, at_good, .. } = self.missing;
        let is_end = (at_bad && node == self.ends.bad) || (at_good && node == self.good());
        is_end && self.space.tests(key).is_none()
    }

    /// Takes a missing report. Returns whether the search knew it already.
    pub(super) fn collect(&mut self, node: Node, observation: &Observation) -> bool {
        let results = &observation.results;
        let mut reports = self.reports.clone();
        if node != self.ends.bad {
            self.missing.at_good = false;
            reports.last.clone_from(results);
        } else if results.is_empty() && observation.outcome != Outcome::Pass {
            self.missing.attempts += 1;
        } else {
            self.missing.at_bad = false;
            (reports.tests, reports.tonight) = (red(results), results.clone());
        }
        let is_known = self.reports == reports;
        self.reports = reports;
        is_known
    }
}
