use serde::{Deserialize, Serialize};

use super::config::Guarantee;
use crate::search::{Status, TargetObservation};

/// The report of a minimization: the smallest set that still has the property, or the best set so far.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MinimizeReport {
    /// The status of the search.
    pub status: Status,
    /// The result in one sentence.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The indices of the kept items, ascending.
    pub kept: Vec<usize>,
    /// The guarantee about the size of the kept set.
    pub guarantee: Guarantee,
    /// Warnings about the result, in sentences.
    #[serde(default, with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// The number of outcomes from the oracle, including outcomes that cost no run.
    pub asked: u64,
    /// The number of outcomes that cost a run.
    pub runs: u64,
    /// All observations, in the order in which they were reported.
    pub observations: Vec<TargetObservation>,
}

/// The report of an isolation: two sets, one inside the other, with the smallest difference found. The larger set has the
/// property, and the smaller one lacks it.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IsolateReport {
    /// The status of the search.
    pub status: Status,
    /// The result in one sentence.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The indices of the items in the set that has the property, ascending.
    pub kept: Vec<usize>,
    /// The indices of the items in the set that lacks the property. All of them are also in `kept`.
    pub lacking: Vec<usize>,
    /// The indices of the items that are in `kept` and not in `lacking`.
    pub difference: Vec<usize>,
    /// The guarantee about the size of the difference.
    pub guarantee: Guarantee,
    /// Warnings about the result, in sentences.
    #[serde(default, with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// The number of outcomes from the oracle, including outcomes that cost no run.
    pub asked: u64,
    /// The number of outcomes that cost a run.
    pub runs: u64,
    /// All observations, in the order in which they were reported.
    pub observations: Vec<TargetObservation>,
}
