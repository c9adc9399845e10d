//! How finely a patch is taken apart.

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// How finely to take a patch apart (Artho, "Iterative Delta Debugging", Section 3.4).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// To whole files.
    Files,
    /// To hunks, and single changes of headers.
    Hunks,
    /// To definitions, the outermost blocks of each hunk that hold changes, as the indentation of its lines tells them.
    Definitions,
    /// To single changes, but a line that was replaced stays with the similar one that took its place, up to six lines with those
    /// that they stand for, and a line with the condition that decides it.
    Edits,
    /// To single changes.
    #[default]
    Lines,
}

impl Granularity {
    /// All there are, the coarsest first.
    pub const ALL: [Granularity; 5] =
        [Granularity::Files, Granularity::Hunks, Granularity::Definitions, Granularity::Edits, Granularity::Lines];

    /// As in the public contract.
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

    /// How many levels of the tree that is; `None` for all.
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
