use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::outcome::Outcome;
use crate::graph::{CommitGraph, Node};

/// The remaining work of a search in a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forecast {
    /// The number of suspects.
    pub suspects: usize,
    /// The median over the possible culprits.
    pub likely: Expense,
    /// The maximum over the simulated culprits. It is not an upper bound, because unresolved revisions and flakes cost more.
    pub worst: Expense,
}

/// The work of a search up to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Expense {
    /// The number of runs of the test.
    pub runs: u64,
    /// The number of rounds of parallel runs.
    pub rounds: u64,
}

/// The data of a culprit search that a forecast needs.
#[derive(Debug, Clone)]
pub struct CulpritQuestion {
    /// The history.
    pub graph: Arc<CommitGraph>,
    /// The newer endpoints.
    pub newer: Vec<Node>,
    /// The outcome at a culprit and at its descendants.
    pub at_culprit: Outcome,
    /// Whether each round divides the number of suspects by about jobs + 1.
    pub halves: bool,
}
