//! The failure at each revision, and the failures that count.

use hashbrown::{HashMap, HashSet};

use super::rpa::Point;
use crate::graph::Node;
use crate::search::Observation;

/// The stage of a search with `distinguish_failures = "auto"`.
#[derive(Debug, Clone, Default)]
pub(super) enum Turn {
    /// Every failure counts.
    #[default]
    Any,
    /// Only the failure of the bad revision counts, because the plain search found this point, which fails in another
    /// way.
    This(Point),
    /// No two failures are the same, so they cannot be compared.
    GivenUp,
}

/// The failure at each revision that failed, if it is known.
#[derive(Debug, Default)]
pub(super) struct FailureNames(HashMap<Node, String>);

impl FailureNames {
    pub(super) fn see(&mut self, revision: Node, observation: &Observation) {
        if let Some(failure) = observation.failure() {
            self.0.entry(revision).or_insert_with(|| failure.to_owned());
        }
    }

    pub(super) fn at(&self, revision: Node) -> Option<&str> {
        self.0.get(&revision).map(String::as_str)
    }

    pub(super) fn vary(&self, least: usize) -> bool {
        let different: HashSet<&str> = self.0.values().map(String::as_str).collect();
        self.0.len() >= least && different.len() == self.0.len()
    }
}
