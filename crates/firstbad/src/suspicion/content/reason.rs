//! Why a commit is tried early, or late.

use serde::{Deserialize, Serialize};

/// Why a commit is tried early, or late.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CommitReason {
    /// It touches a source file that the test is named after.
    Named {
        /// The file.
        file: String,
    },
    /// It touches source files whose names have words of the test's file.
    Paths {
        /// The words, as the test has them.
        words: Vec<String>,
    },
    /// Its subject has words of the test.
    Subject {
        /// The words, as the test has them.
        words: Vec<String>,
    },
    /// It touches source files.
    Source {
        /// How many.
        files: usize,
        /// How many lines it adds and deletes there; 0 also where they were not counted.
        lines: u64,
        /// Whether it touches tests, too.
        tests: bool,
    },
    /// It touches no source file.
    NoSource,
    /// By the build graph the test depends on what it touches.
    Affects {
        /// The first such file, of the closest target.
        file: String,
        /// The target.
        target: String,
        /// How many dependencies lead there from the closest failing test; 0 for the test itself.
        depth: usize,
    },
    /// The build graph does not say that the test depends on what it touches.
    Unlikely,
    /// By the build graph it cannot have broken the test.
    Excluded,
}

impl CommitReason {
    /// The same for people, to follow the name of the commit.
    #[must_use]
    pub fn words(&self) -> String {
        let listed = |words: &[String]| words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
        match self {
            CommitReason::Named { file } => format!("touches {file}, which the test is named after"),
            CommitReason::Paths { words } => format!("touches files with the test's {} in their names", listed(words)),
            CommitReason::Subject { words } => format!("has the test's {} in its subject", listed(words)),
            CommitReason::Source { files, lines, tests } => {
                let files = counted(*files as u64, "source file");
                // Of a partial clone, and of very many commits, they are not known.
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

    /// Whether it speaks for the commit; else it says why the commit is tried late.
    pub(crate) fn speaks_for(&self) -> bool {
        !matches!(self, CommitReason::NoSource | CommitReason::Unlikely | CommitReason::Excluded)
    }
}

/// Reasons in words, to follow the name of the commit; empty if there are none.
pub(crate) fn message(reasons: &[CommitReason]) -> String {
    reasons.iter().map(CommitReason::words).collect::<Vec<_>>().join("; ")
}

/// Why a revision was tried: what spoke for it, or for the one right after it, before anything was run.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectionReason {
    /// The same for people, to follow the name of the revision.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The child that is likelier to be the culprit than the revision itself: then the reasons are the child's, for the test of
    /// its parent tells as much.
    #[serde(default)]
    pub before: Option<String>,
    /// What counts most first, at most three.
    pub reasons: Vec<CommitReason>,
}

impl SelectionReason {
    /// Why a revision, or its child `before`, is likelier than others; `None` if nothing speaks for it.
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

/// How many characters of an id people read.
const SHORT: usize = 12;

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
