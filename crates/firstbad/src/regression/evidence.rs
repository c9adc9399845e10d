//! What is known about revisions, in the order in which it became known.

use crate::graph::Node;
use crate::observation::Outcome;

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

    pub(super) fn add(&mut self, revision: Node, outcome: Outcome) {
        if self.outcomes[revision as usize].is_none() {
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
