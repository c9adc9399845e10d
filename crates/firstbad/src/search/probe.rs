use serde::{Deserialize, Serialize};

use super::change_set::ChangeSet;
use super::target::Target;

/// A request to test a target.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The id of the probe. Probes are numbered from 0.
    pub id: u64,
    /// The target to test.
    #[serde(flatten)]
    pub target: Target,
    /// Whether the probe confirms a result. Its target is already known and must run again, alone and in a clean worktree. Stored
    /// outcomes do not count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirms: bool,
}

impl Probe {
    /// Returns the revision to test, or an empty string if the search has no revisions.
    #[must_use]
    pub fn revision(&self) -> &str {
        self.target.revision.as_deref().unwrap_or_default()
    }

    /// Returns the changes to keep, or `None` if the search tests whole revisions.
    #[must_use]
    pub fn changes(&self) -> Option<&ChangeSet> {
        self.target.changes.as_ref()
    }
}

/// The number of a target in an algorithm. It is the [`Node`](crate::graph::Node) of a revision, or the number of a set of
/// changes in order of first use.
pub type Key = u32;
