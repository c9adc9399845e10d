//! Where a graph was read from, so that it can be read again.

use serde::{Deserialize, Serialize};

/// A part of a repository's history, in full ids: what has to be known to read the same graph again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The repository's folder.
    pub repository: String,
    /// Where the history starts.
    pub tips: Vec<String>,
    /// What was left out, with its ancestors.
    pub exclude: Vec<String>,
    /// Whether only first parents were followed.
    pub first_parent: bool,
    /// The paths that a commit had to touch; empty: all commits.
    pub paths: Vec<String>,
    /// Revisions that touch none of the paths and are there all the same, with commits that are not between them and what is
    /// before them here: ends, and what was there before the first commits that touch the paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
}

impl Origin {
    /// The first of its ends that is no full id: in what anybody may have written, a name would be looked up, through the index
    /// perhaps, or be taken for an option.
    #[must_use]
    pub fn unfit(&self) -> Option<&str> {
        let is_full =
            |id: &str| matches!(id.len(), 40 | 64) && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        self.tips.iter().chain(&self.exclude).map(String::as_str).find(|id| !is_full(id))
    }
}
