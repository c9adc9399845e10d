//! Measured costs of builds and tests.

use crate::search::Observation;

/// The durations in the observations, as sums with counts.
#[derive(Default, Clone, Copy)]
pub(super) struct Measured {
    builds: (f64, u32),
    tests: (f64, u32),
}

impl Measured {
    pub(super) fn add(&mut self, observation: &Observation) {
        let tests: Vec<f64> = observation.results.values().filter_map(|result| result.seconds).collect();
        let spent: f64 = tests.iter().sum();
        self.tests = (self.tests.0 + spent, self.tests.1 + tests.len() as u32);
        if let (Some(seconds), false, false) = (observation.seconds, observation.reused, tests.is_empty()) {
            self.builds = (self.builds.0 + (seconds - spent).max(0.0), self.builds.1 + 1);
        }
    }

    /// Returns the mean costs of a build and of a test, or `None` if they are unknown.
    pub(super) fn costs(self) -> Option<(f64, f64)> {
        let mean = |(sum, count): (f64, u32)| (sum > 0.0).then(|| sum / f64::from(count));
        mean(self.builds).zip(mean(self.tests))
    }
}
