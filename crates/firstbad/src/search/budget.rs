use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A limit on the runs, the cost, and the builds of a search. A missing limit is unlimited. Drivers limit time with
/// [`Search::stop`](super::Search::stop).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// The maximum number of outcomes that cost a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<u64>,
    /// The maximum cost. The search asks for no more probes once the costs of all observations reach it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The maximum number of builds. The search asks for no more probes once so many runs [reused](super::Observation::reused)
    /// no build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub builds: Option<u64>,
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

    /// Returns the budget that is left after some runs and costs. The number of builds stays.
    #[must_use]
    pub fn less(&self, runs: u64, cost: f64) -> Budget {
        Budget {
            runs: self.runs.map(|limit| limit.saturating_sub(runs)),
            cost: self.cost.map(|limit| (limit - cost).max(0.0)),
            builds: self.builds,
        }
    }

    /// Returns the number of runs that are left after `asked` outcomes with a total of `cost` and this number of `builds`, and
    /// with `in_flight` probes.
    pub(super) fn left(&self, asked: u64, in_flight: u64, cost: f64, builds: u64) -> u64 {
        if self.cost.is_some_and(|most| cost >= most) {
            return 0;
        }
        let left =
            |limit: Option<u64>, spent: u64| limit.map_or(u64::MAX, |limit| limit.saturating_sub(spent + in_flight));
        left(self.runs, asked).min(left(self.builds, builds))
    }
}
