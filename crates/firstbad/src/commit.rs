//! What people know a commit by.

use serde::{Deserialize, Serialize};

/// What people know a commit by. The texts are whatever its author wrote: what shows them makes them harmless.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commit {
    /// The first line of its message.
    pub subject: String,
    /// Who wrote it, without the address.
    pub author: String,
    /// When it was written (git's author date): ISO 8601, in UTC, to the second.
    pub author_date: String,
    /// When it got its place in the history (git's commit date), likewise.
    pub commit_date: String,
}

impl Commit {
    /// The day on which it got its place in the history: `2026-01-31`.
    #[must_use]
    pub fn day(&self) -> &str {
        self.commit_date.split('T').next().unwrap_or_default()
    }
}
