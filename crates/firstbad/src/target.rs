//! What is tested: a revision, a set of changes, or a set of changes on a revision.

use serde::{Deserialize, Serialize};

use crate::change_set::ChangeSet;

/// What a probe tests.
///
/// As JSON, `{"revision": "..."}`, `{"changes": "0-3,7"}` or both.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Given")]
pub struct Target {
    /// The revision, where the search is about a history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The changes that are kept, where the search is about changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<ChangeSet>,
}

#[derive(Deserialize)]
struct Given {
    revision: Option<String>,
    changes: Option<ChangeSet>,
}

impl TryFrom<Given> for Target {
    type Error = &'static str;

    fn try_from(Given { revision, changes }: Given) -> Result<Self, Self::Error> {
        if revision.is_none() && changes.is_none() {
            return Err("a target needs a revision, or changes, or both");
        }
        Ok(Target { revision, changes })
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.revision, &self.changes) {
            (Some(revision), None) => f.write_str(revision),
            (Some(revision), Some(changes)) => write!(f, "changes {changes} on {revision}"),
            (None, Some(changes)) if changes.is_empty() => f.write_str("no changes"),
            (None, changes) => write!(f, "changes {}", changes.as_ref().map_or(String::new(), ChangeSet::to_string)),
        }
    }
}

impl From<&str> for Target {
    fn from(revision: &str) -> Self {
        Target { revision: Some(revision.to_owned()), changes: None }
    }
}

impl From<String> for Target {
    fn from(revision: String) -> Self {
        Target { revision: Some(revision), changes: None }
    }
}

impl From<ChangeSet> for Target {
    fn from(changes: ChangeSet) -> Self {
        Target { revision: None, changes: Some(changes) }
    }
}
