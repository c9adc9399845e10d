//! A test that has ended, or runs, as the view shows it.

use firstbad::Outcome;

/// A test that has ended.
#[derive(Debug, Clone)]
pub(super) struct Finished {
    pub(super) short: String,
    pub(super) outcome: Outcome,
    /// Whether it fails in another way than that which is looked for, so that nothing follows from it.
    pub(super) is_other_failure: bool,
    /// How it ended, in a few words.
    pub(super) how: String,
    pub(super) seconds: Option<f64>,
    pub(super) subject: String,
    /// Why it was tried; empty if nothing is known.
    pub(super) why: String,
}

/// A test that runs, as the view shows it.
#[derive(Debug, Clone)]
pub(super) struct Running {
    pub(super) short: String,
    pub(super) subject: String,
    /// Why it is tried; empty if nothing is known.
    pub(super) why: String,
}
