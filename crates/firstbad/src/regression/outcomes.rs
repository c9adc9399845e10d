//! The outcomes of revisions, in the order in which they became known.

use super::strategy::Flaky;
use crate::graph::Node;
use crate::search::Outcome;

/// Outcomes by revision, with a log from which searches continue reading.
#[derive(Debug, Clone)]
pub(super) struct Outcomes {
    by_revision: Vec<Option<Outcome>>,
    log: Vec<(Node, Outcome)>,
}

impl Outcomes {
    pub(super) fn new(revisions: usize) -> Self {
        Outcomes { by_revision: vec![None; revisions], log: Vec::new() }
    }

    /// Adds an outcome. The first outcome of a revision stays. With a flaky test, a later pass replaces any outcome, and a later
    /// failure replaces an unresolved outcome.
    pub(super) fn add(&mut self, revision: Node, outcome: Outcome) {
        let known = self.by_revision[revision as usize];
        let outweighs = match known {
            None => true,
            Some(Outcome::Unresolved) => outcome != Outcome::Unresolved,
            Some(Outcome::Fail) => outcome == Outcome::Pass,
            Some(Outcome::Pass) => false,
        };
        if outweighs {
            self.by_revision[revision as usize] = Some(outcome);
            self.log.push((revision, outcome));
        }
    }

    /// Returns the same outcomes in the order of their revisions.
    pub(super) fn in_any_order(&self) -> Self {
        let mut outcomes = self.clone();
        outcomes.log.sort_unstable_by_key(|&(node, _)| node);
        outcomes
    }

    pub(super) fn of(&self, revision: Node) -> Option<Outcome> {
        self.by_revision[revision as usize]
    }
}

/// The known outcomes, and supposed outcomes that are added to predict the next runs.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) outcomes: &'a Outcomes,
    /// The runs of a flaky test, or `None` if the test is reliable.
    pub(super) flaky: Option<&'a Flaky>,
    pub(super) supposed: &'a [(Node, Outcome)],
}

impl View<'_> {
    pub(super) fn outcome(&self, revision: Node) -> Option<Outcome> {
        self.outcomes
            .of(revision)
            .or_else(|| self.supposed.iter().find(|&&(other, _)| other == revision).map(|&(_, outcome)| outcome))
    }

    /// The log from entry `from` on.
    pub(super) fn since(&self, from: usize) -> impl Iterator<Item = (Node, Outcome)> + '_ {
        let known = &self.outcomes.log;
        known.iter().skip(from).chain(self.supposed.iter().skip(from.saturating_sub(known.len()))).copied()
    }

    /// The passing revisions, in the order in which they became known.
    pub(super) fn passing(&self) -> impl Iterator<Item = Node> + '_ {
        self.since(0).filter(|entry| entry.1 == Outcome::Pass).map(|entry| entry.0)
    }

    pub(super) fn len(&self) -> usize {
        self.outcomes.log.len() + self.supposed.len()
    }
}
