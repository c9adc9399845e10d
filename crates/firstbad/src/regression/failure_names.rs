//! How the test failed at each revision, and which failures count.

use hashbrown::{HashMap, HashSet};

use super::rpa::Point;
use crate::graph::Node;
use crate::search::Observation;

/// Where a search that decides by itself stands.
#[derive(Debug, Clone, Default)]
pub(super) enum Turn {
    /// Every failure counts.
    #[default]
    Any,
    /// Only this failure counts, since the plain search found that point.
    This(Point),
    /// No two failures are alike, so that they say nothing.
    GivenUp,
}

/// How the test failed at each revision where that is known.
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
