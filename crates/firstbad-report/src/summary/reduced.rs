//! The result of a reduction.

use firstbad::TargetObservation;
use serde::Serialize;

/// The result of a reduction, besides its report.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reduced {
    /// The number of items before the reduction.
    pub items: usize,
    /// The result as text; `None` if the result is not a text, or has several files.
    pub text: Option<String>,
    /// The reduced files, if there are several.
    pub files: Vec<ReducedFile>,
    /// Whether the text is a patch.
    #[serde(skip)]
    pub is_patch: bool,
    /// The numbers of bytes before and after; `None` for other items.
    pub sizes: Option<[usize; 2]>,
    /// The numbers of lines before and after; `None` for other items.
    pub lines: Option<[usize; 2]>,
}

/// One of several reduced files.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReducedFile {
    /// The name, relative to the common folder.
    pub name: String,
    /// The reduced file; `None` if it is not shown.
    pub text: Option<String>,
    /// The numbers of bytes before and after.
    pub sizes: [usize; 2],
    /// The numbers of lines before and after.
    pub lines: [usize; 2],
}

impl Reduced {
    /// Creates the result from observations. A reduced patch is in `patch`.
    pub(crate) fn of(observations: &[TargetObservation], items: Option<usize>, patch: Option<String>) -> Reduced {
        Reduced {
            items: items.unwrap_or_else(|| largest(observations)),
            is_patch: patch.is_some(),
            text: patch,
            files: Vec::new(),
            sizes: None,
            lines: None,
        }
    }
}

/// Returns the size of the largest tested set, because the full set is tested first.
fn largest(observations: &[TargetObservation]) -> usize {
    let changes = observations.iter().filter_map(|seen| seen.target.changes.as_ref());
    changes.filter_map(|changes| changes.iter().last()).max().map_or(0, |last| last + 1)
}
