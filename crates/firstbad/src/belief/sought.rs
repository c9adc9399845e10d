//! Which failure is meant.

use super::tally::RunCounts;
use crate::search::Observation;

/// The failure searched for: the one configured, or the first one seen at a revision that is known to fail. A failure
/// seen elsewhere may be a flake of another kind.
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

    /// Takes in an observation of the revision that is known to fail, and says whether it tells for the first time
    /// which failure is meant: then what was told before has another meaning.
    pub(crate) fn learns_from(&mut self, observation: &Observation) -> bool {
        let is_new = self.configured.is_none() && self.seen.is_none() && observation.counts().1 > 0;
        if is_new {
            self.seen.clone_from(&observation.signature);
        }
        is_new && self.seen.is_some()
    }

    /// The runs that an observation stands for, without failures of another kind; none at all is unresolved.
    pub(crate) fn tally(&self, observation: &Observation) -> RunCounts {
        let mut tally = RunCounts::from(observation);
        if self.is_other(observation) {
            tally.fails = 0;
        }
        tally
    }

    /// Whether a failure is one of another kind.
    pub(crate) fn is_other(&self, observation: &Observation) -> bool {
        let sought = self.configured.as_ref().or(self.seen.as_ref());
        sought.is_some_and(|sought| observation.has_other_signature(sought))
    }
}
