//! A change as a repository knows it: more than its files, for whoever weighs changes by it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::change::Change;

/// A commit: the files that it changed, who made it, and what it says. Only `id` is needed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CommitChange {
    /// The full sha.
    pub id: String,
    /// The files that it added, changed or deleted, each once; of a renamed one both names. Bytes of names that are not
    /// UTF-8 are replaced.
    pub files: Vec<String>,
    /// The author's name.
    pub author: String,
    /// The author's e-mail address.
    pub email: String,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// The whole message, without the line ends behind it.
    pub message: String,
    /// How many lines it added; binary files have none.
    pub added: u64,
    /// How many lines it deleted.
    pub deleted: u64,
    /// By file which lines it added or changed, first and last, numbered from 1 in the file after it; of deleted lines
    /// the one before. Empty where nobody has looked.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lines: BTreeMap<String, Vec<(u64, u64)>>,
}

impl CommitChange {
    /// What a ranking needs of it.
    #[must_use]
    pub fn change(&self) -> Change {
        Change { id: self.id.clone(), files: self.files.clone() }
    }
}
