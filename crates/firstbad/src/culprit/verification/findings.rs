//! The reasons against a conclusion.

use super::checks::Checks;
use super::report::{ReasonCode, Role};
use crate::belief::RunCounts;
use crate::graph::Node;

/// A reason against a conclusion, with its evidence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finding {
    pub(super) code: ReasonCode,
    /// The revision that the reason concerns, and its runs.
    pub(super) node: Node,
    pub(super) runs: RunCounts,
    /// The revision whose failure must be between two passes.
    pub(super) failing: Option<Node>,
}

impl Checks {
    /// All findings. `earlier` is the verdict of an earlier verification.
    pub(super) fn findings(&self, earlier: Option<bool>) -> Vec<Finding> {
        let mut findings = self.passes_of_failing();
        findings.extend(self.never_passing());
        findings.extend(self.out_of_order());
        let needs = self.needs();
        let needed = |node: &Node| needs.iter().any(|&(other, _)| other == *node);
        let unresolved = self.unresolved.iter().copied().filter(needed);
        findings.extend(unresolved.map(|node| self.finding(ReasonCode::Unresolved, node, None)));
        let now = self.verdict(&findings);
        if earlier.is_some() && now.is_some() && now != earlier {
            let node = self.claim.culprit.unwrap_or(self.claim.bad);
            findings.push(self.finding(ReasonCode::NotReproducible, node, None));
        }
        findings
    }

    /// The verdict, or `None` as long as nothing is proven.
    pub(super) fn verdict(&self, findings: &[Finding]) -> Option<bool> {
        if findings.iter().any(|finding| finding.code != ReasonCode::Unresolved) {
            Some(false)
        } else if findings.is_empty() && self.needs().is_empty() {
            Some(true)
        } else {
            None
        }
    }

    fn finding(&self, code: ReasonCode, node: Node, failing: Option<Node>) -> Finding {
        Finding { code, node, runs: self.runs.tally(node), failing }
    }

    /// Revisions that pass but must not.
    fn passes_of_failing(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (role, node) in self.claim.failing() {
            if self.runs.passes(node) > 0 {
                if role == Role::Culprit {
                    findings.push(self.finding(ReasonCode::CulpritPasses, node, None));
                }
                if node == self.claim.bad {
                    findings.push(self.finding(ReasonCode::BadPasses, node, None));
                }
            }
        }
        findings
    }

    /// Revisions that never pass but must.
    fn never_passing(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (role, node) in self.passing() {
            if self.runs.passes(node) == 0 && self.runs.fails(node) >= self.reruns {
                let code = match role {
                    Role::Bad => ReasonCode::BadNeverPasses,
                    Role::Parent => ReasonCode::ParentNeverPasses,
                    _ => ReasonCode::GoodNeverPasses,
                };
                findings.push(self.finding(code, node, None));
            }
        }
        findings
    }

    /// Revisions that do not pass both before and after the failure of another one.
    fn out_of_order(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (role, passing, failing) in self.ordered() {
            let (before, after) = match role {
                Role::Good => (ReasonCode::NoGoodPassBeforeBadFail, ReasonCode::NoBadFailBeforeGoodPass),
                _ => (ReasonCode::NoParentPassBeforeCulpritFail, ReasonCode::NoCulpritFailBeforeParentPass),
            };
            let given_up = self.runs.fails_after(failing, passing).is_some_and(|fails| fails >= self.reruns);
            if self.runs.passes(passing) > 0 && given_up {
                findings.push(self.finding(after, passing, Some(failing)));
                if !self.runs.has_pass_before_fail(passing, failing) {
                    findings.push(self.finding(before, passing, Some(failing)));
                }
            }
        }
        findings
    }
}
