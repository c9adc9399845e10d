//! A change of a history.

use serde::Serialize;

/// A change of a history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SliceChange {
    /// The full id of the commit that contains the change.
    pub commit: String,
    /// The changed file by its name after the change, or `None` for a whole commit.
    pub path: Option<String>,
    /// The number of the hunk in the file, from 0. `None` for a whole file or a change of its header.
    pub hunk: Option<usize>,
    /// The qualified name of the changed definition, or `<module>` for module-level code. `None` for a whole file or a change of
    /// its header.
    pub definition: Option<String>,
    /// The full ids of earlier commits that do not parse and are part of this change, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<String>,
}

impl SliceChange {
    /// Returns the unique name of the change: the commit id, then `:` and the file, then `#` and the hunk or definition.
    #[must_use]
    pub fn name(&self) -> String {
        let path = self.path.as_ref().map(|path| format!(":{path}")).unwrap_or_default();
        let hunk = self.hunk.map(|hunk| format!("#{hunk}")).unwrap_or_default();
        let definition = self.definition.as_ref().map(|name| format!("#{name}")).unwrap_or_default();
        format!("{}{path}{hunk}{definition}", self.commit)
    }

    /// Returns whether the change contains anything from a commit, given its full id.
    #[must_use]
    pub fn is_of(&self, commit: &str) -> bool {
        self.commits().any(|own| own == commit)
    }

    /// Returns the full ids of the commits that the change is from, oldest first.
    pub fn commits(&self) -> impl Iterator<Item = &str> {
        self.merged.iter().chain([&self.commit]).map(String::as_str)
    }
}
