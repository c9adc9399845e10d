//! The tests of a triage and the build, as subjects of the search.

use std::sync::Arc;

use super::belief::Belief;
use super::evidence::{Evidence, Facts};
use super::report::Verdict;
use super::rule::Decision;
use crate::graph::Node;

/// A test, or the build.
pub(super) struct Subject {
    /// The verdict without a search, or `None` if the subject is searched.
    pub(super) listed: Option<Verdict>,
    /// Whether the test was only searched before an undo. It has no verdict.
    pub(super) is_absent: bool,
    pub(super) red_tonight: bool,
    pub(super) green_last: bool,
    /// Whether the last green run is known and does not have the test.
    pub(super) is_unknown_before: bool,
    /// The signature of last night's failure, or of the first failure at the bad revision.
    pub(super) signature: Option<String>,
    /// The number of the signature.
    pub(super) group: Option<u32>,
    pub(super) evidence: Evidence,
    pub(super) facts: Arc<Facts>,
    /// The failures that are left out because the test passed after them.
    pub(super) older: Vec<Node>,
    /// Whether `facts` must be computed again.
    pub(super) is_changed: bool,
    /// The belief, or `None` if it must be looked up.
    pub(super) belief: Option<Arc<Belief>>,
    pub(super) decision: Decision,
}

impl Subject {
    pub(super) fn new(listed: Option<Verdict>, red_tonight: bool, green_last: bool) -> Self {
        Subject {
            listed,
            is_absent: false,
            red_tonight,
            green_last,
            is_unknown_before: false,
            signature: None,
            group: None,
            evidence: Evidence::default(),
            facts: Arc::default(),
            older: Vec::new(),
            is_changed: true,
            belief: None,
            decision: Decision::Open(Vec::new()),
        }
    }

    /// Whether the subject is searched and has no verdict.
    pub(super) fn is_open(&self) -> bool {
        self.listed.is_none() && matches!(self.decision, Decision::Open(_))
    }

    /// Whether the test does not exist at the good revision, as far as it is known.
    pub(super) fn is_new(&self, good: Node) -> bool {
        !self.green_last && self.evidence.is_unresolved(good)
    }

    /// Returns the suspect that the verdict names.
    pub(super) fn culprit(&self) -> Option<usize> {
        match self.decision {
            Decision::Broken(place) if self.listed.is_none() => Some(place),
            _ => None,
        }
    }
}
