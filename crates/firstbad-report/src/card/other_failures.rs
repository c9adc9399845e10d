//! Other failures than the one searched for, from a report alone.

use std::collections::HashMap;

use firstbad::{Observation, Outcome, RegressionReport};

/// Returns the candidates whose failures have other signatures than the newer endpoints of their point, without
/// duplicates.
pub(super) fn other_failures(report: &RegressionReport) -> impl Iterator<Item = &str> {
    let seen: HashMap<&str, &Observation> = report
        .observations
        .iter()
        .filter_map(|one| Some((one.target.revision.as_deref()?, &one.observation)))
        .collect();
    let signature = |revision: &str| {
        let failed = seen.get(revision).filter(|seen| seen.outcome == Outcome::Fail)?;
        failed.signature.as_deref()
    };
    let mut others: Vec<&str> = Vec::new();
    for point in &report.points {
        let leaves = report.leaves.iter().filter(|leaf| point.leaves.contains(&leaf.leaf));
        let ends = leaves.filter_map(|leaf| signature(leaf.replaced_by.as_deref().unwrap_or(&leaf.leaf)));
        let ends: Vec<&str> = ends.collect();
        let is_other = |candidate: &&str| {
            !ends.is_empty() && signature(candidate).is_some_and(|signature| !ends.contains(&signature))
        };
        others.extend(point.candidates.iter().map(String::as_str).filter(is_other));
    }
    others.sort_unstable();
    others.dedup();
    others.into_iter()
}
