//! The outcomes of revisions, in the order in which they became known.

use super::strategy::Flaky;
use crate::graph::Node;
use crate::search::Outcome;

/// Outcomes by revision, with a log that searches read from where they left off.
#[derive(Debug, Clone)]
pub(super) struct Outcomes {
    by_revision: Vec<Option<Outcome>>,
    log: Vec<(Node, Outcome)>,
}

impl Outcomes {
    pub(super) fn new(revisions: usize) -> Self {
        Outcomes { by_revision: vec![None; revisions], log: Vec::new() }
    }

    /// The first outcome of a revision stays, except that with a flaky test a later one may outweigh it: a pass
    /// whatever was seen before, a failure what could not be tested.
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

/// The outcomes that are known, and those that are supposed on top of them to find out what would be asked next.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) outcomes: &'a Outcomes,
    /// Every run of a flaky test; `None` if the test is reliable.
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

    /// The revisions that pass, in the order in which that became known.
    pub(super) fn passing(&self) -> impl Iterator<Item = Node> + '_ {
        self.since(0).filter(|entry| entry.1 == Outcome::Pass).map(|entry| entry.0)
    }

    pub(super) fn len(&self) -> usize {
        self.outcomes.log.len() + self.supposed.len()
    }
}
