//! What reductions answer.

use serde::{Deserialize, Serialize};

use super::config::Guarantee;
use crate::search::{Status, TargetObservation};

/// The smallest set that still has the property, final or the best so far.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MinimizeReport {
    /// Where the search stands.
    pub status: Status,
    /// The same in one sentence, for people.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The items that are kept, as indices, ascending.
    pub kept: Vec<usize>,
    /// What is certain about them.
    pub guarantee: Guarantee,
    /// Warnings about the result, in sentences.
    #[serde(default, with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// How many answers came from the oracle.
    pub runs: u64,
    /// Everything that was seen, in the order told.
    pub observations: Vec<TargetObservation>,
}

/// Two sets as near to each other as was found: one has the property, the other one, within it, has it not.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IsolateReport {
    /// Where the search stands.
    pub status: Status,
    /// The same in one sentence, for people.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The items of the set that has the property, as indices, ascending.
    pub kept: Vec<usize>,
    /// The items of the set that has it not: all of them in `kept`.
    pub lacking: Vec<usize>,
    /// What is in the one and not in the other.
    pub difference: Vec<usize>,
    /// What is certain about the difference.
    pub guarantee: Guarantee,
    /// Warnings about the result, in sentences.
    #[serde(default, with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// How many answers came from the oracle.
    pub runs: u64,
    /// Everything that was seen, in the order told.
    pub observations: Vec<TargetObservation>,
}
