//! Why a commit is tried early, or late.

use serde::{Deserialize, Serialize};

/// Why a commit is tried early, or late.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContentReason {
    /// It touches a source file that the test is named after.
    Named {
        /// The file.
        file: String,
    },
    /// It touches source files whose names have words of the test's file.
    Paths {
        /// The words, without their endings.
        words: Vec<String>,
    },
    /// Its subject has words of the test.
    Subject {
        /// The words, without their endings.
        words: Vec<String>,
    },
    /// It touches source files.
    Source {
        /// How many.
        files: usize,
        /// How many lines it adds and deletes there.
        lines: u64,
        /// Whether it touches tests, too.
        tests: bool,
    },
    /// It touches no source file.
    NoSource,
}

impl ContentReason {
    /// The same for people, to follow the name of the commit.
    #[must_use]
    pub fn words(&self) -> String {
        let listed = |words: &[String]| words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
        match self {
            ContentReason::Named { file } => format!("touches {file}, which the test is named after"),
            ContentReason::Paths { words } => format!("touches files with the test's {} in their names", listed(words)),
            ContentReason::Subject { words } => format!("its subject has the test's {}", listed(words)),
            ContentReason::Source { files, lines, tests } => {
                let (files, lines) = (counted(*files as u64, "source file"), counted(*lines, "line"));
                format!("touches {files}{}, {lines}", if *tests { " and tests" } else { "" })
            }
            ContentReason::NoSource => "touches no source file".to_owned(),
        }
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
