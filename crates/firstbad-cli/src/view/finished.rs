//! Tests in the view.

use firstbad::Outcome;

/// A finished test.
#[derive(Debug, Clone)]
pub(super) struct Finished {
    pub(super) short: String,
    pub(super) outcome: Outcome,
    /// Whether the test failed in another way than the bad revision.
    pub(super) is_other_failure: bool,
    /// The exit code or signal.
    pub(super) how: String,
    pub(super) seconds: Option<f64>,
    pub(super) subject: String,
    /// The numbers of failing tests and of all tests with an outcome, if the run had several tests.
    pub(super) tests: Option<(usize, usize)>,
    /// The numbers of a measurement.
    pub(super) number: Option<String>,
}

/// A running test.
#[derive(Debug, Clone)]
pub(super) struct Running {
    pub(super) short: String,
    pub(super) subject: String,
}
