//! What a conclusion says about which revisions.

use super::report::Role;
use crate::graph::{CommitGraph, Node};

/// A conclusion with the ends that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) bad: Node,
    pub(crate) good: Vec<Node>,
    /// `None` if the failure is said to have been a flake.
    pub(crate) culprit: Option<Node>,
}

impl Claim {
    /// Revisions that must pass, in the order in which they are checked.
    pub(crate) fn passing(&self, graph: &CommitGraph) -> Vec<(Role, Node)> {
        let Some(culprit) = self.culprit else { return vec![(Role::Bad, self.bad)] };
        let parents = graph.parents(culprit).iter().map(|&parent| (Role::Parent, parent));
        self.good.iter().map(|&good| (Role::Good, good)).chain(parents).collect()
    }

    /// In how many ways flakes may mislead a verification: whatever must pass may fail time and again by bad luck, and,
    /// beside a culprit, once more after that has failed.
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
