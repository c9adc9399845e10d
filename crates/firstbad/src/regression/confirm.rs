//! Confirmation of the culprit in a regression search.

use super::algorithm::Regression;
use super::rpa::Point;
use crate::finding::find::Find;
use crate::graph::Node;
use crate::search::{Algorithm as _, Change, Claim, Confirmation, Ledger, LedgerEntry, Outcome};

impl Regression {
    /// Returns the claims to confirm: a good revision that fails, or the culprits and their parents.
    pub(super) fn claimed(&self) -> Vec<Claim> {
        if !self.confirms() {
            return Vec::new();
        }
        if let Some(end) = self.contradicted_end() {
            return vec![Claim { key: end, outcome: self.newer_outcome(), parents: Vec::new() }];
        }
        self.rpa.points.iter().filter(|point| self.counts(point)).filter_map(|point| self.claim(point)).collect()
    }

    fn confirms(&self) -> bool {
        self.config.confirm && self.config.check_parents && !self.repeats()
    }

    /// Returns the oracle's outcome on the newer side.
    fn newer_outcome(&self) -> Outcome {
        match self.config.find {
            Find::Regression => Outcome::Fail,
            Find::Fix => Outcome::Pass,
        }
    }

    /// Returns the claim of a point, if the point names a culprit and the culprit and its parents were tested.
    fn claim(&self, point: &Point) -> Option<Claim> {
        let parents = self.graph.parents(point.bad);
        let passes = |&parent: &Node| self.evidence.outcomes.of(parent) == Some(Outcome::Pass);
        let is_observed = |&node: &Node| !self.is_trusted(node);
        let is_named = point.good.is_some()
            && self.is_edge(&self.rpa, point)
            && self.evidence.outcomes.of(point.bad) == Some(Outcome::Fail)
            && parents.iter().all(|parent| passes(parent) && is_observed(parent))
            && is_observed(&point.bad);
        is_named.then(|| Claim { key: point.bad, outcome: self.newer_outcome(), parents: parents.to_vec() })
    }

    /// Returns the state of the confirmation of a point, or `None` if there is nothing to confirm.
    fn confirmation_of(&self, point: &Point, ledger: &Ledger) -> Option<Confirmation> {
        if self.confirms() { Some(self.claim(point)?.check(ledger, &|seen| self.is_other_failure(seen))) } else { None }
    }

    /// Whether runs confirmed a point.
    pub(super) fn is_confirmed(&self, point: &Point, ledger: &Ledger) -> bool {
        self.confirmation_of(point, ledger) == Some(Confirmation::Settled)
            && self.claim(point).is_some_and(|claim| claim.was_run(ledger))
    }

    /// Whether a run contradicts a point. If it does, the point names no culprit.
    pub(super) fn is_contradicted(&self, point: &Point, ledger: &Ledger) -> bool {
        matches!(self.confirmation_of(point, ledger), Some(Confirmation::Changed(_)))
    }

    /// Describes the first outcome that changed.
    pub(super) fn changed_outcome(&self, ledger: &Ledger) -> Option<String> {
        self.claimed().iter().find_map(|claim| match claim.check(ledger, &|seen| self.is_other_failure(seen)) {
            Confirmation::Changed(change) => Some(self.in_words(change, ledger)),
            Confirmation::Settled | Confirmation::Needs(_) => None,
        })
    }

    fn in_words(&self, Change { key, first, second }: Change, ledger: &Ledger) -> String {
        let id = self.graph.id(key);
        let (first, second) = (&ledger.answers()[first], &ledger.answers()[second]);
        let (was, is) = (self.verb(first), self.verb(second));
        if first.probe.is_none() {
            return format!("{id} {is} now, but it {was} in an earlier run");
        }
        if first.observation.reused {
            return format!("{id} {was} with a kept build but {is} with a fresh build. The kept build is out of date");
        }
        if !first.is_alone {
            return format!(
                "{id} {was} in parallel with other runs but {is} alone. Run one test at a time, or give each job \
                 separate ports and folders. FIRSTBAD_JOB is the number of the job"
            );
        }
        format!("{id} {was} but {is} in a later run. Something outside the code changed, or the test is flaky")
    }

    fn verb(&self, entry: &LedgerEntry) -> &'static str {
        match entry.observation.outcome {
            _ if self.is_other_failure(&entry.observation) => "fails in another way",
            Outcome::Pass => "passes",
            Outcome::Fail => "fails",
            Outcome::Unresolved => "is unresolved",
        }
    }
}
