//! The slice of a history that was found, and what was made of it.

use std::path::Path;

use firstbad::{SlicedHistory, SlicerReport};
use serde::Serialize;

/// The slice of a history that was found.
#[derive(Debug, Clone, Serialize)]
pub struct Sliced {
    /// The history that it is a slice of; `None` if the changes come from elsewhere.
    pub history: Option<SlicedHistory>,
    /// What the search says.
    #[serde(flatten)]
    pub report: SlicerReport,
    /// The patches that were written, in the order in which they apply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patches: Vec<String>,
    /// The branch that was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<SliceBranch>,
}

/// A branch of a slice.
#[derive(Debug, Clone, Serialize)]
pub struct SliceBranch {
    /// Its name.
    pub name: String,
    /// Its newest commit, as a full sha.
    pub commit: String,
}

impl Sliced {
    pub(crate) fn of(report: SlicerReport, history: Option<SlicedHistory>) -> Sliced {
        Sliced { history, report, patches: Vec::new(), branch: None }
    }

    /// The folder with the patches, if any were written.
    pub fn patch_folder(&self) -> Option<String> {
        Some(Path::new(self.patches.first()?).parent()?.display().to_string())
    }
}
