//! Options for opening a journal.

use std::time::Duration;

use serde_json::Value;

use crate::test::Test;

/// Options for opening a journal.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The maximum wait for another process that writes to the journal. By default there is no wait.
    pub wait: Duration,
    /// A digest of the items, for searches among items.
    pub digest: Option<String>,
    /// The test that answers the probes. By default [`Test::ByHand`].
    ///
    /// A command is compared with the one in the journal, or recorded if the journal has none. A function is an error if the
    /// journal has a command.
    pub test: Test,
    /// Whether the search continues without the journal after a write error. [`journal_trouble`](crate::Session::journal_trouble)
    /// then returns the error. By default false, so every call returns the error until writing works again.
    pub is_optional: bool,
    /// Data of the driver for the header of a new journal.
    pub driver: Value,
}
