//! Looking back for an older endpoint if none is given: tests given revisions, then ancestors in growing steps.
//!
//! Without it, the roots are assumed to pass (RPA, Section 2), and the search starts in the middle of the whole history. A
//! current test often cannot run there.

use serde::{Deserialize, Serialize};

/// Whether to look back for an older endpoint, and where to start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected true, false, or the revisions to try first")]
pub enum LookBack {
    /// Whether to look back. If a Git repository is opened, the last tag before each newer endpoint replaces `true`.
    Named(bool),
    /// Looks back, and tries these revisions first, in this order. Revisions that are not ancestors of a newer endpoint are
    /// skipped for that endpoint.
    First(Vec<String>),
}
