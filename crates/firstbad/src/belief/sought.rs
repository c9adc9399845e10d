//! The failure that a search is for.

use super::tally::RunCounts;
use crate::search::Observation;

/// The failure to search for: the configured one, or the first one observed at a revision that is known to fail. A failure at
/// another revision may be an unrelated flake.
#[derive(Debug, Clone)]
pub(crate) struct Sought {
    configured: Option<String>,
    seen: Option<String>,
}

impl Sought {
    pub(crate) fn new(configured: Option<String>) -> Self {
        Sought { configured, seen: None }
    }

    pub(crate) fn forget(&mut self) {
        self.seen = None;
    }

    /// Takes an observation of a revision that is known to fail. Returns whether it is the first one with a signature. All
    /// earlier observations must then be interpreted again.
    pub(crate) fn learns_from(&mut self, observation: &Observation) -> bool {
        let is_new = self.configured.is_none() && self.seen.is_none() && observation.counts().1 > 0;
        if is_new {
            self.seen.clone_from(&observation.signature);
        }
        is_new && self.seen.is_some()
    }

    /// The runs of an observation, without failures that have another signature. No runs means that it is unresolved.
    pub(crate) fn tally(&self, observation: &Observation) -> RunCounts {
        let mut tally = RunCounts::from(observation);
        if self.is_other(observation) {
            tally.fails = 0;
        }
        tally
    }

    /// Whether an observation is a failure with another signature.
    pub(crate) fn is_other(&self, observation: &Observation) -> bool {
        let sought = self.configured.as_ref().or(self.seen.as_ref());
        sought.is_some_and(|sought| observation.has_other_signature(sought))
    }
}
