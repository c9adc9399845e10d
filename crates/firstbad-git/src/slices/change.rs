//! One change of a history.

use serde::Serialize;

/// One change of a history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SliceChange {
    /// The commit that made it, as a full sha.
    pub commit: String,
    /// The file that it changes, by its name after the change; `None` for a whole commit.
    pub path: Option<String>,
    /// The number of the hunk in the file, from 0; `None` for the whole file, and for the change of its header.
    pub hunk: Option<usize>,
    /// The qualified name of the definition in the file, `<module>` for what is in none; `None` for the whole file, and for the
    /// change of its header.
    pub definition: Option<String>,
    /// Commits before it that do not parse, and are one change with it: full shas, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<String>,
}

impl SliceChange {
    /// Its name, which no other change of the history has: the sha, then `:` and the file, then `#` and the hunk or the
    /// definition.
    #[must_use]
    pub fn name(&self) -> String {
        let path = self.path.as_ref().map(|path| format!(":{path}")).unwrap_or_default();
        let hunk = self.hunk.map(|hunk| format!("#{hunk}")).unwrap_or_default();
        let definition = self.definition.as_ref().map(|name| format!("#{name}")).unwrap_or_default();
        format!("{}{path}{hunk}{definition}", self.commit)
    }

    /// Whether it has anything of a commit, by its full sha.
    #[must_use]
    pub fn is_of(&self, commit: &str) -> bool {
        self.commit == commit || self.merged.iter().any(|merged| merged == commit)
    }
}
