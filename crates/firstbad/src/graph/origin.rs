use serde::{Deserialize, Serialize};

/// The source of a graph: a part of a repository's history, in full ids. It is enough to read the same graph again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The folder of the repository.
    pub repository: String,
    /// The newest revisions of the history.
    pub tips: Vec<String>,
    /// The excluded revisions. Their ancestors are also excluded.
    pub exclude: Vec<String>,
    /// Whether only first parents were followed.
    pub first_parent: bool,
    /// The paths that a commit had to touch. If empty, all commits were read.
    pub paths: Vec<String>,
    /// Revisions that are kept although they touch none of the paths: endpoints, and the revisions before the first commits that
    /// touch the paths. Commits between them and their parents here are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
}

impl Origin {
    /// Returns the first tip or excluded revision that is not a full id. An untrusted origin must not contain names, because Git
    /// could resolve a name through the index or take it for an option.
    #[must_use]
    pub fn unfit(&self) -> Option<&str> {
        let is_full =
            |id: &str| matches!(id.len(), 40 | 64) && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        self.tips.iter().chain(&self.exclude).map(String::as_str).find(|id| !is_full(id))
    }
}
