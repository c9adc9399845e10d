//! The runs that a verification needs.

use std::sync::Arc;

use super::claim::Claim;
use super::order::{Run, RunOrder};
use super::report::Role;
use crate::belief::RunCounts;
use crate::graph::{CommitGraph, Node};
use crate::search::Observation;

/// The checks of one conclusion, with their runs.
#[derive(Debug)]
pub(super) struct Checks {
    pub(super) graph: Arc<CommitGraph>,
    pub(super) claim: Claim,
    /// The number of failures after which a revision is assumed never to pass.
    pub(super) reruns: u32,
    pub(super) runs: RunOrder,
    pub(super) unresolved: Vec<Node>,
}

impl Checks {
    /// Adds an observation. No runs means that the revision is unresolved.
    pub(super) fn take(&mut self, revision: Node, tally: RunCounts, observation: &Observation) {
        if tally.runs() == 0 {
            self.unresolved.push(revision);
        } else {
            self.runs.push(Run::new(revision, tally, observation));
        }
    }

    pub(super) fn forget(&mut self) {
        self.runs.clear();
        self.unresolved.clear();
    }

    pub(super) fn must_fail(&self, revision: Node) -> bool {
        self.claim.failing().iter().any(|&(_, node)| node == revision)
    }

    /// Revisions that must pass, in the order of their checks.
    pub(super) fn passing(&self) -> Vec<(Role, Node)> {
        self.claim.passing(&self.graph)
    }

    /// Pairs of a revision that must pass and one that must fail. The pass must occur both before and after the failure.
    pub(super) fn ordered(&self) -> Vec<(Role, Node, Node)> {
        let Some(culprit) = self.claim.culprit else { return Vec::new() };
        let failing = |role: Role| if role == Role::Good { self.claim.bad } else { culprit };
        self.passing().into_iter().map(|(role, node)| (role, node, failing(role))).collect()
    }

    /// The missing runs by revision, in the order in which to run them.
    pub(super) fn needs(&self) -> Vec<(Node, u32)> {
        let mut needs: Vec<(Node, u32)> = Vec::new();
        for (_, node) in self.passing() {
            if self.runs.passes(node) == 0 {
                needs.push((node, 1));
            }
        }
        if self.claim.culprit.is_none() {
            return needs;
        }
        let first_passes = !needs.is_empty();
        for (_, passing, failing) in self.ordered() {
            if self.runs.passes(passing) == 0 {
                continue;
            }
            if !self.runs.has_pass_before_fail(passing, failing) {
                if !first_passes && !needs.contains(&(failing, 1)) {
                    needs.push((failing, 1));
                }
            } else if !self.runs.has_fail_before_pass(failing, passing) && !needs.contains(&(passing, 1)) {
                needs.push((passing, 1));
            }
        }
        for (_, node) in self.claim.failing() {
            let left = self.reruns.saturating_sub(self.runs.fails(node));
            if left > 0 {
                needs.push((node, left));
            }
        }
        needs
    }
}
