use serde::{Deserialize, Serialize};

/// A reason why a commit is tested early or late.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CommitReason {
    /// The commit touches a source file that the test is named after.
    Named {
        /// The path of the file.
        file: String,
    },
    /// The commit touches source files whose names share words with the test's file.
    Paths {
        /// The shared words, as in the test.
        words: Vec<String>,
    },
    /// The subject of the commit shares words with the test.
    Subject {
        /// The shared words, as in the test.
        words: Vec<String>,
    },
    /// The commit touches source files.
    Source {
        /// The number of source files.
        files: usize,
        /// The number of added and deleted lines in these files. 0 if lines were not counted.
        lines: u64,
        /// Whether the commit also touches tests.
        tests: bool,
    },
    /// The commit touches no source file.
    NoSource,
    /// The commit touches a file that the test depends on, according to the build graph.
    Affects {
        /// The first such file of the closest target.
        file: String,
        /// The name of the target.
        target: String,
        /// The number of dependencies from the closest failing test to the target. 0 for the test itself.
        depth: usize,
    },
    /// The commit touches nothing that the test is known to depend on, according to the build graph.
    Unlikely,
    /// The commit cannot have broken the test, according to the build graph.
    Excluded,
}

impl CommitReason {
    /// Returns the reason as text that can follow the name of the commit.
    #[must_use]
    pub fn words(&self) -> String {
        let listed = |words: &[String]| words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
        match self {
            CommitReason::Named { file } => format!("touches {file}, which the test is named after"),
            CommitReason::Paths { words } => format!("touches files with the test's {} in their names", listed(words)),
            CommitReason::Subject { words } => format!("has the test's {} in its subject", listed(words)),
            CommitReason::Source { files, lines, tests } => {
                let files = counted(*files as u64, "source file");
                // The number of lines is unknown in partial clones and for very many commits.
                let lines = if *lines == 0 { String::new() } else { format!(", {}", counted(*lines, "line")) };
                format!("touches {files}{}{lines}", if *tests { " and tests" } else { "" })
            }
            CommitReason::NoSource => "touches no source file".to_owned(),
            CommitReason::Affects { file, depth: 0, .. } => format!("touches {file}, a file of the test itself"),
            CommitReason::Affects { file, target, .. } if file == target => {
                format!("touches {file}, which the test depends on")
            }
            CommitReason::Affects { file, target, .. } => {
                format!("touches {file} in {target}, which the test depends on")
            }
            CommitReason::Unlikely => "touches nothing that the test is known to depend on".to_owned(),
            CommitReason::Excluded => "cannot affect the test".to_owned(),
        }
    }

    /// Returns whether the reason makes the commit more likely.
    pub(crate) fn speaks_for(&self) -> bool {
        !matches!(self, CommitReason::NoSource | CommitReason::Unlikely | CommitReason::Excluded)
    }
}

/// Returns the reasons as text that can follow the name of the commit.
pub(crate) fn message(reasons: &[CommitReason]) -> String {
    reasons.iter().map(CommitReason::words).collect::<Vec<_>>().join("; ")
}

/// The reason why a revision was tested. It concerns this revision or a child of it.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectionReason {
    /// The reasons as text that can follow the name of the revision.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The child that the reasons concern, if the child is more likely to be the culprit than the revision. A test of the parent is
    /// as informative as a test of the child.
    #[serde(default)]
    pub before: Option<String>,
    /// The reasons, strongest first, at most three.
    pub reasons: Vec<CommitReason>,
}

impl SelectionReason {
    /// Returns the reasons for a revision or its child `before`, or `None` if there are none.
    pub(crate) fn of(before: Option<&str>, reasons: &[CommitReason]) -> Option<SelectionReason> {
        let reasons: Vec<CommitReason> = reasons.iter().filter(|reason| reason.speaks_for()).cloned().collect();
        if reasons.is_empty() {
            return None;
        }
        let words = message(&reasons);
        let message = match before {
            None => words,
            Some(child) => format!("right before {}, which {words}", child.chars().take(SHORT).collect::<String>()),
        };
        Some(SelectionReason { message, before: before.map(str::to_owned), reasons })
    }
}

/// The number of characters of an abbreviated id.
const SHORT: usize = 12;

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
