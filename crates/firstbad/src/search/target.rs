use serde::{Deserialize, Serialize};

use super::change_set::ChangeSet;

/// The target of a probe: a revision, a set of changes, or a revision with a set of changes or of tests.
///
/// The JSON form is `{"revision": "..."}`, `{"changes": "0-3,7"}`, or both. `"universe": 2` is added if the changes are those of
/// a read, and `"tests": "0-3"` if the search tests several tests at once.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(!try_from))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Given")]
pub struct Target {
    /// The full id of the revision, if the search is in a history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The changes to keep, if the search tests changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<ChangeSet>,
    /// The id of the read whose changes the indices refer to. Absent if they refer to the changes of the whole search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub universe: Option<u64>,
    /// The tests to run, as indices into the search's list of tests. An empty set asks only for a build. Absent for
    /// the whole suite, and if the search has a single test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<ChangeSet>,
}

#[derive(Deserialize)]
struct Given {
    revision: Option<String>,
    changes: Option<ChangeSet>,
    universe: Option<u64>,
    tests: Option<ChangeSet>,
}

impl TryFrom<Given> for Target {
    type Error = &'static str;

    fn try_from(Given { revision, changes, universe, tests }: Given) -> Result<Self, Self::Error> {
        if revision.is_none() && changes.is_none() {
            return Err("a target needs a revision, or changes, or both");
        }
        if universe.is_some() && changes.is_none() {
            return Err("a target with a universe also needs changes");
        }
        if tests.is_some() && revision.is_none() {
            return Err("tests run at a revision: a target with tests needs a revision");
        }
        Ok(Target { revision, changes, universe, tests })
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let of = self.universe.map_or(String::new(), |universe| format!(" of read {universe}"));
        match (&self.revision, &self.changes) {
            (Some(revision), None) => match &self.tests {
                Some(tests) if tests.is_empty() => write!(f, "the build of {revision}"),
                Some(tests) => write!(f, "tests {tests} at {revision}"),
                None => f.write_str(revision),
            },
            (Some(revision), Some(changes)) if changes.is_empty() => write!(f, "no changes{of} on {revision}"),
            (Some(revision), Some(changes)) => write!(f, "changes {changes}{of} on {revision}"),
            (None, Some(changes)) if changes.is_empty() => write!(f, "no changes{of}"),
            (None, Some(changes)) => write!(f, "changes {changes}{of}"),
            (None, None) => f.write_str("nothing"),
        }
    }
}

impl From<&str> for Target {
    fn from(revision: &str) -> Self {
        Target { revision: Some(revision.to_owned()), ..Target::default() }
    }
}

impl From<String> for Target {
    fn from(revision: String) -> Self {
        Target { revision: Some(revision), ..Target::default() }
    }
}

impl From<ChangeSet> for Target {
    fn from(changes: ChangeSet) -> Self {
        Target { changes: Some(changes), ..Target::default() }
    }
}
