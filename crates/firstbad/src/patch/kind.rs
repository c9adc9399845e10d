//! The kinds of changes.

use serde::{Deserialize, Serialize};

/// What a change does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// The file gets another mode.
    Mode,
    /// The file is new, and empty without further changes.
    Creation,
    /// The file goes away.
    Deletion,
    /// The file gets another name.
    Rename,
    /// The file is another one's copy.
    Copy,
    /// A line goes away.
    Removed,
    /// A line is new.
    Added,
    /// The whole content of a binary file.
    Binary,
}

impl ChangeKind {
    /// The name in lower case, as in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ChangeKind::Mode => "mode",
            ChangeKind::Creation => "creation",
            ChangeKind::Deletion => "deletion",
            ChangeKind::Rename => "rename",
            ChangeKind::Copy => "copy",
            ChangeKind::Removed => "removed",
            ChangeKind::Added => "added",
            ChangeKind::Binary => "binary",
        }
    }
}
