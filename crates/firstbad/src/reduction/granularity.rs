use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The smallest parts that a reduction of a patch can remove (Artho, "Iterative Delta Debugging", Section 3.4).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// Whole files.
    Files,
    /// Hunks, and single header changes.
    Hunks,
    /// The definitions that change, which are the outermost blocks of each hunk that contain changes, found by the indentation of the lines.
    Definitions,
    /// Edits. An edit is a single change, but a replaced line stays with the similar line that replaced it. Up to six dissimilar lines
    /// stay with their replacements. A line stays with the condition that controls it.
    Edits,
    /// Single changes.
    #[default]
    Lines,
}

impl Granularity {
    /// All granularities, coarsest first.
    pub const ALL: [Granularity; 5] =
        [Granularity::Files, Granularity::Hunks, Granularity::Definitions, Granularity::Edits, Granularity::Lines];

    /// Returns the name as in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Granularity::Files => "files",
            Granularity::Hunks => "hunks",
            Granularity::Definitions => "definitions",
            Granularity::Edits => "edits",
            Granularity::Lines => "lines",
        }
    }

    /// Returns the number of tree levels, or `None` for all.
    pub(super) fn depth(self) -> Option<usize> {
        match self {
            Granularity::Files => Some(1),
            Granularity::Hunks => Some(2),
            Granularity::Definitions => Some(3),
            Granularity::Edits | Granularity::Lines => None,
        }
    }
}

impl std::str::FromStr for Granularity {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let expected = "\"files\", \"hunks\", \"definitions\", \"edits\" or \"lines\"";
        Granularity::ALL
            .into_iter()
            .find(|one| one.as_str() == name)
            .ok_or_else(|| Error::invalid("granularity", name, expected))
    }
}
