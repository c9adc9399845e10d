//! How many runs a search is expected to take.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::observation::Outcome;
use crate::graph::{CommitGraph, Node};

/// How much is left of a search through a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forecast {
    /// How many revisions can still be blamed.
    pub suspects: usize,
    /// The median over the culprits that are still possible.
    pub likely: Expense,
    /// The most that was seen for one of them. It is no bound: unresolved revisions and flakes cost more.
    pub worst: Expense,
}

/// What it takes to play a search to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Expense {
    /// Runs of the test.
    pub runs: u64,
    /// Rounds of tests that run side by side.
    pub rounds: u64,
}

/// A search for culprits in a history, as far as a forecast has to know it.
#[derive(Debug, Clone)]
pub struct CulpritQuestion {
    /// The history.
    pub graph: Arc<CommitGraph>,
    /// The newer ends.
    pub newer: Vec<Node>,
    /// What is seen at a culprit and after it.
    pub at_culprit: Outcome,
    /// Whether each round of questions leaves about one part of the suspects in jobs + 1.
    pub halves: bool,
}
