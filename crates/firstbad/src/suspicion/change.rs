//! What a change did to which files.

use serde::{Deserialize, Serialize};

/// An atomic change to the code: a commit, a changelist (Culprit Finder, Definitions 6 and 7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Its id: a sha, a number.
    pub id: String,
    /// The files that it added, changed or deleted, as the build graph names them; of a renamed one both names.
    pub files: Vec<String>,
}

impl Change {
    /// A change of some files.
    pub fn new<F>(id: impl Into<String>, files: F) -> Self
    where
        F: IntoIterator<Item: Into<String>>,
    {
        Change { id: id.into(), files: files.into_iter().map(Into::into).collect() }
    }
}
