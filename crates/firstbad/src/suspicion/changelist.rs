//! A commit: what it did to which files, and what else is known of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a change did to a file, as `git diff --name-status` tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// It was not there before; so is the new name of a renamed file.
    Added,
    /// It was there before and is there after.
    Modified,
    /// It is not there after; so is the old name of a renamed file.
    Deleted,
}

/// An atomic change to the code, like a commit (a changelist; Culprit Finder, Definitions 6 and 7). A ranking needs `id` and
/// `files`, and where files were moved or deleted `renames` and `statuses`; a [`Factor`](super::Factor) looks at the rest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Changelist {
    /// Its id: a sha, a number.
    pub id: String,
    /// The ids of the changes, or revisions, that it was made upon. Empty: the one before it in the list.
    pub parents: Vec<String>,
    /// The files that it added, changed or deleted, as the build graph names them, each once; of a renamed one both names. Bytes
    /// of names that are not UTF-8 are replaced.
    pub files: Vec<String>,
    /// The files that it renamed: by the old name the new one. Both are among `files`.
    pub renames: BTreeMap<String, String>,
    /// By file what it did to that. Where a file is not in it, nobody has looked.
    pub statuses: BTreeMap<String, FileStatus>,
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
    /// By file how many lines it added, and how many it deleted; of a renamed file under its new name. Of a merge against its
    /// first parent. Where a file is not in it, nobody has looked.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, (u64, u64)>,
    /// By file which lines it added or changed, first and last, numbered from 1 in the file after it; of deleted lines the one
    /// before. Empty if nobody has looked.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lines: BTreeMap<String, Vec<(u64, u64)>>,
}

impl Changelist {
    /// A changelist of which only the files are known.
    pub fn new<F>(id: impl Into<String>, files: F) -> Self
    where
        F: IntoIterator<Item: Into<String>>,
    {
        let files = files.into_iter().map(Into::into).collect();
        Changelist { id: id.into(), files, ..Changelist::default() }
    }
}
