//! What a store holds.

use firstbad::Observation;
use serde::Serialize;

/// Whose outcomes: those of different oracles, or of different versions of one, are never mixed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct OracleKey {
    /// What is tested, in the caller's words: a command, a test's name.
    pub name: String,
    /// What makes older outcomes worthless when it changes: a digest of the command and its surroundings, a number.
    pub version: String,
}

/// An outcome that was kept, for a key that the reader knows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Kept {
    /// The run that saw it.
    pub run: String,
    /// What it saw.
    pub observation: Observation,
    /// When it was kept, in seconds since 1970 (UTC) on the clock of the machine that saw it.
    pub at: f64,
}

/// An outcome that was kept, with all that it is filed under.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// The oracle that answered.
    pub oracle: OracleKey,
    /// The key of what was tested.
    pub key: String,
    /// The run that saw it.
    pub run: String,
    /// What it saw.
    pub observation: Observation,
    /// When it was kept, in seconds since 1970 (UTC) on the clock of the machine that saw it.
    pub at: f64,
}
