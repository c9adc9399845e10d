//! The slice of a history that was found, and what was made of it.

use std::path::Path;

use firstbad::{SlicedHistory, SlicerReport};
use serde::Serialize;

/// The slice of a history that was found.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Sliced {
    /// The history that it is a slice of; `None` if the changes come from elsewhere.
    pub(crate) history: Option<SlicedHistory>,
    #[serde(flatten)]
    pub(crate) report: SlicerReport,
    /// The patches that were written, in the order in which they apply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) patches: Vec<String>,
    /// The branch that was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<SliceBranch>,
}

/// A branch of a slice.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SliceBranch {
    /// Its name.
    pub(crate) name: String,
    /// Its newest commit, as a full sha.
    pub(crate) commit: String,
}

impl Sliced {
    pub(super) fn of(report: SlicerReport, history: Option<SlicedHistory>) -> Sliced {
        Sliced { history, report, patches: Vec::new(), branch: None }
    }

    /// The folder with the patches, if any were written.
    pub(crate) fn patch_folder(&self) -> Option<String> {
        Some(Path::new(self.patches.first()?).parent()?.display().to_string())
    }

    /// The commits of the slice, oldest first: each once, where the slice has several parts of it.
    pub(crate) fn commits(&self) -> Vec<&str> {
        let mut commits: Vec<&str> = self.report.names.iter().map(|name| parts(name).0).collect();
        commits.dedup();
        commits
    }
}

/// The commit in the name of a change, and the part of it; no part of a whole commit.
pub(crate) fn parts(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or((name, ""))
}
