//! What is known about revisions, in the order in which it became known.

use super::bayes::Flaky;
use crate::graph::Node;
use crate::search::Outcome;

/// Outcomes by revision, with a log that searches read from where they left off.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    outcomes: Vec<Option<Outcome>>,
    log: Vec<(Node, Outcome)>,
}

impl Evidence {
    pub(super) fn new(revisions: usize) -> Self {
        Evidence { outcomes: vec![None; revisions], log: Vec::new() }
    }

    /// The first outcome of a revision stays, except that with a flaky test a later one may outweigh it: a pass
    /// whatever was seen before, a failure what could not be tested.
    pub(super) fn add(&mut self, revision: Node, outcome: Outcome) {
        let known = self.outcomes[revision as usize];
        let outweighs = match known {
            None => true,
            Some(Outcome::Unresolved) => outcome != Outcome::Unresolved,
            Some(Outcome::Fail) => outcome == Outcome::Pass,
            Some(Outcome::Pass) => false,
        };
        if outweighs {
            self.outcomes[revision as usize] = Some(outcome);
            self.log.push((revision, outcome));
        }
    }

    pub(super) fn outcome(&self, revision: Node) -> Option<Outcome> {
        self.outcomes[revision as usize]
    }

    pub(super) fn log(&self) -> &[(Node, Outcome)] {
        &self.log
    }
}

/// The evidence, and what is supposed on top of it to find out what would be asked next.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) evidence: &'a Evidence,
    /// With a flaky test: every run of it.
    pub(super) flaky: Option<&'a Flaky>,
    pub(super) supposed: &'a [(Node, Outcome)],
}

impl View<'_> {
    pub(super) fn outcome(&self, revision: Node) -> Option<Outcome> {
        self.evidence
            .outcome(revision)
            .or_else(|| self.supposed.iter().find(|&&(other, _)| other == revision).map(|&(_, outcome)| outcome))
    }

    /// The log from entry `from` on.
    pub(super) fn since(&self, from: usize) -> impl Iterator<Item = (Node, Outcome)> + '_ {
        let known = self.evidence.log();
        known.iter().skip(from).chain(self.supposed.iter().skip(from.saturating_sub(known.len()))).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.evidence.log().len() + self.supposed.len()
    }
}
