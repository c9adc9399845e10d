//! The branch or patches made from the slice of a history.

use std::path::Path;

use firstbad::SlicedHistory;
use serde::Serialize;

/// A slice of a history, besides its report.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Serialize)]
pub struct Sliced {
    /// The history of the slice; `None` if the changes come from elsewhere.
    #[cfg_attr(test, schemars(with = "Option<serde_json::Value>", extend("reference" = "SlicedHistory")))]
    pub history: Option<SlicedHistory>,
    /// The patches that were written, in the order in which they apply.
    pub patches: Vec<String>,
    /// The branch that was created.
    pub branch: Option<SliceBranch>,
}

/// A branch of a slice.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Serialize)]
pub struct SliceBranch {
    /// The name.
    pub name: String,
    /// The newest commit, as a full sha.
    pub commit: String,
}

impl Sliced {
    /// The folder of the patches, if any were written.
    pub fn patch_folder(&self) -> Option<String> {
        Some(Path::new(self.patches.first()?).parent()?.display().to_string())
    }
}
