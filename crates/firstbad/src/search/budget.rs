//! How much a search may spend.

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// How much may be spent. What is not given is not limited. The wall clock is the driver's to watch: it ends a
/// search with [`Search::stop`](super::Search::stop).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// At most this many answers that cost a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<u64>,
    /// No further probe once the observations' costs add up to this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

impl Budget {
    /// # Errors
    /// [`Error::InvalidArgument`] for a cost that is not a number or negative.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.cost {
            Some(cost) if !cost.is_finite() || cost < 0.0 => {
                Err(Error::invalid("budget.cost", cost, "a finite number, 0 or above"))
            }
            _ => Ok(()),
        }
    }

    /// What is left of it once so much is spent.
    #[must_use]
    pub fn less(&self, runs: u64, cost: f64) -> Budget {
        Budget {
            runs: self.runs.map(|limit| limit.saturating_sub(runs)),
            cost: self.cost.map(|limit| (limit - cost).max(0.0)),
        }
    }

    /// How many more runs it allows, once `runs` answers with these costs came and `in_flight` more are awaited.
    pub(super) fn left(&self, asked: u64, in_flight: u64, cost: f64) -> u64 {
        if self.cost.is_some_and(|most| cost >= most) {
            return 0;
        }
        self.runs.map_or(u64::MAX, |runs| runs.saturating_sub(asked + in_flight))
    }
}
