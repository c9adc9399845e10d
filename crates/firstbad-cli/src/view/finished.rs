//! A test that has ended, as the view shows it.

use firstbad::Outcome;

/// A test that has ended.
#[derive(Debug, Clone)]
pub(super) struct Finished {
    pub(super) short: String,
    pub(super) outcome: Outcome,
    /// How it ended, in a few words.
    pub(super) how: String,
    pub(super) seconds: Option<f64>,
    pub(super) subject: String,
}
