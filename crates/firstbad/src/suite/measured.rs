//! Measured costs of builds and tests.

use crate::search::Observation;

/// The durations in the observations, as sums with counts.
#[derive(Default, Clone, Copy)]
pub(super) struct Measured {
    builds: (f64, u32),
    /// The runs in a kept build, without their tests.
    kept: (f64, u32),
    tests: (f64, u32),
}

/// The costs of a run.
pub(super) struct RunCosts {
    pub(super) build: f64,
    /// The cost of a run in a kept build, without its tests.
    pub(super) kept: f64,
    pub(super) test: f64,
}

/// The cost of a run in a kept build in relation to a build, until it is measured.
const KEPT: f64 = 0.05;

impl RunCosts {
    pub(super) fn new(build: f64, test: f64) -> RunCosts {
        RunCosts { build, kept: KEPT * build, test }
    }
}

impl Measured {
    pub(super) fn add(&mut self, observation: &Observation) {
        let tests: Vec<f64> = observation.results.values().filter_map(|result| result.seconds).collect();
        let spent: f64 = tests.iter().sum();
        self.tests = (self.tests.0 + spent, self.tests.1 + tests.len() as u32);
        if let (Some(seconds), false) = (observation.seconds, tests.is_empty()) {
            let runs = if observation.reused { &mut self.kept } else { &mut self.builds };
            *runs = (runs.0 + (seconds - spent).max(0.0), runs.1 + 1);
        }
    }

    /// Returns the mean costs, or `None` if they are unknown.
    pub(super) fn costs(self) -> Option<RunCosts> {
        let mean = |(sum, count): (f64, u32)| (sum > 0.0).then(|| sum / f64::from(count));
        let (build, test) = mean(self.builds).zip(mean(self.tests))?;
        let kept = mean(self.kept).map_or(KEPT * build, |kept| kept.min(build));
        Some(RunCosts { build, kept, test })
    }
}
