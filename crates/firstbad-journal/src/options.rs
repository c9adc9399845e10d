//! How a journal is opened.

use std::time::Duration;

use serde_json::Value;

use crate::test::Test;

/// How a journal is opened.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// How long to wait for another process that writes to it. Default: not at all.
    pub wait: Duration,
    /// For searches among items: a digest of what they are.
    pub digest: Option<String>,
    /// What answers the probes. A command is compared with the one that the journal knows; where it knows none, that is
    /// written down. A function is refused where the journal knows a command. Default: nobody says.
    pub test: Test,
    /// The search goes on where the journal cannot be written any more; then [`journal_trouble`](crate::Session::journal_trouble)
    /// says why. Default: every call says so until it can.
    pub is_optional: bool,
    /// What the driver wants to keep; kept in the header of a new journal.
    pub driver: Value,
}
