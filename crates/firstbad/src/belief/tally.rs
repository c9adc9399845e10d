//! Counts of passing and failing runs.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use crate::search::Observation;

/// The number of passing and failing runs.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunCounts {
    /// The number of runs that passed.
    pub passes: u32,
    /// The number of runs that failed.
    pub fails: u32,
}

impl RunCounts {
    /// Returns the number of all runs.
    #[must_use]
    pub fn runs(self) -> u32 {
        self.passes.saturating_add(self.fails)
    }

    /// Returns the share of runs that failed, or `None` if there were no runs.
    #[must_use]
    pub fn rate(self) -> Option<f64> {
        (self.runs() > 0).then(|| f64::from(self.fails) / f64::from(self.runs()))
    }
}

impl RunCounts {
    /// Exchanges passes and failures.
    pub(crate) fn swapped(self) -> RunCounts {
        RunCounts { passes: self.fails, fails: self.passes }
    }

    /// Subtracts runs, but not below 0.
    pub(crate) fn without(self, some: RunCounts) -> RunCounts {
        RunCounts { passes: self.passes.saturating_sub(some.passes), fails: self.fails.saturating_sub(some.fails) }
    }
}

impl From<&Observation> for RunCounts {
    fn from(observation: &Observation) -> Self {
        let (passes, fails) = observation.counts();
        RunCounts { passes, fails }
    }
}

impl Add for RunCounts {
    type Output = RunCounts;

    fn add(self, other: RunCounts) -> RunCounts {
        RunCounts { passes: self.passes.saturating_add(other.passes), fails: self.fails.saturating_add(other.fails) }
    }
}

impl AddAssign for RunCounts {
    fn add_assign(&mut self, other: RunCounts) {
        *self = *self + other;
    }
}
