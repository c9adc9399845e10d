use serde::{Deserialize, Serialize};

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// A change of the file's mode.
    Mode,
    /// The creation of a file, which is empty without further changes.
    Creation,
    /// The deletion of a file.
    Deletion,
    /// A rename of a file.
    Rename,
    /// A copy of another file.
    Copy,
    /// The removal of a line.
    Removed,
    /// The addition of a line.
    Added,
    /// A change of the whole content of a binary file.
    Binary,
}

impl ChangeKind {
    /// Returns the name in lower case, as in JSON.
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
