//! The outcomes that follow from a conclusion.

use super::report::Role;
use crate::graph::{CommitGraph, Node};

/// A conclusion and its endpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) bad: Node,
    pub(crate) good: Vec<Node>,
    /// The culprit, or `None` for a flake.
    pub(crate) culprit: Option<Node>,
}

impl Claim {
    /// Revisions that must pass, in the order of their checks.
    pub(crate) fn passing(&self, graph: &CommitGraph) -> Vec<(Role, Node)> {
        let Some(culprit) = self.culprit else { return vec![(Role::Bad, self.bad)] };
        let parents = graph.parents(culprit).iter().map(|&parent| (Role::Parent, parent));
        self.good.iter().map(|&good| (Role::Good, good)).chain(parents).collect()
    }

    /// The number of ways in which flakes can mislead a verification. Each revision that must pass can fail in all runs by
    /// chance, and with a culprit, again in all runs after a failure of the culprit.
    pub(crate) fn chances(&self, graph: &CommitGraph) -> usize {
        let passing = self.passing(graph).len();
        if self.culprit.is_some() { 2 * passing } else { passing }
    }

    /// Revisions that must never pass.
    pub(crate) fn failing(&self) -> Vec<(Role, Node)> {
        match self.culprit {
            None => Vec::new(),
            Some(culprit) if culprit == self.bad => vec![(Role::Culprit, culprit)],
            Some(culprit) => vec![(Role::Culprit, culprit), (Role::Bad, self.bad)],
        }
    }
}
