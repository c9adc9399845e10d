use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The effect of a change on a file, as in `git diff --name-status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// The file is new. This includes the new name of a renamed file.
    Added,
    /// The file exists before and after the change.
    Modified,
    /// The file was deleted. This includes the old name of a renamed file.
    Deleted,
}

/// An atomic change to the code, such as a commit. Source: changelists, Culprit Finder, Definitions 6 and 7.
///
/// A ranking needs `id` and `files`, and also `renames` and `statuses` if files were moved or deleted. Only a
/// [`Factor`](super::Factor) uses the other fields.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Changelist {
    /// The id, such as a hash or a number.
    pub id: String,
    /// The ids of the parent changes or revisions. If empty, the parent is the previous change in the list.
    pub parents: Vec<String>,
    /// The added, modified, and deleted files, each once, with paths as in the build graph. A renamed file has both names here.
    /// Bytes that are not UTF-8 are replaced.
    pub files: Vec<String>,
    /// The renamed files, from the old name to the new name. Both names are also in `files`.
    pub renames: BTreeMap<String, String>,
    /// The effect of the change by file. Files without an entry were not examined.
    pub statuses: BTreeMap<String, FileStatus>,
    /// The name of the author.
    pub author: String,
    /// The e-mail address of the author.
    pub email: String,
    /// The commit time in seconds since 1970.
    pub time: i64,
    /// The whole message without trailing newlines.
    pub message: String,
    /// The number of added lines. Binary files count as zero.
    pub added: u64,
    /// The number of deleted lines.
    pub deleted: u64,
    /// The numbers of added and deleted lines by file, under the new name for a renamed file. The lines of a merge are counted
    /// against its first parent. Files without an entry were not examined.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, (u64, u64)>,
    /// The ranges of added or modified lines by file, with the first and the last line, counted from 1 in the new file. A deleted
    /// line counts as the line before it. Empty if lines were not examined.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lines: BTreeMap<String, Vec<(u64, u64)>>,
}

impl Changelist {
    /// Creates a changelist with known files and nothing else.
    pub fn new<F>(id: impl Into<String>, files: F) -> Self
    where
        F: IntoIterator<Item: Into<String>>,
    {
        let files = files.into_iter().map(Into::into).collect();
        Changelist { id: id.into(), files, ..Changelist::default() }
    }
}
