//! One request to test something.

use serde::{Deserialize, Serialize};

use super::change_set::ChangeSet;
use super::target::Target;

/// One request to test something. Its id is its number, from 0.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The id to answer with.
    pub id: u64,
    /// What to test.
    #[serde(flatten)]
    pub target: Target,
    /// Whether it confirms a result. Its target is already known, and is run again, alone, in a clean worktree. Stored outcomes
    /// do not count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirms: bool,
}

impl Probe {
    /// The revision to test; empty if the search has no revisions.
    #[must_use]
    pub fn revision(&self) -> &str {
        self.target.revision.as_deref().unwrap_or_default()
    }

    /// The changes to keep; `None` if the search tests whole revisions.
    #[must_use]
    pub fn changes(&self) -> Option<&ChangeSet> {
        self.target.changes.as_ref()
    }
}

/// The number by which an algorithm knows a target: a revision's [`Node`](crate::graph::Node), or the number of a set of changes
/// in the order in which it met them.
pub type Key = u32;
