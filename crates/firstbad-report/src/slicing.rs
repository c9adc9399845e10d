//! The reasons why changes are in a slice.

use firstbad::{ChangeSet, Outcome, SlicerReport, Status, TargetObservation};

use crate::quantities::count;

/// The reason why a change is in a slice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Every set contains the change.
    Given,
    /// A test shows that the change is needed.
    Test,
    /// Git cannot apply another change without the change.
    Git,
    /// Nothing shows yet that the change is needed.
    Open,
}

impl Need {
    pub(crate) const ALL: [Need; 4] = [Need::Given, Need::Test, Need::Git, Need::Open];

    pub(crate) fn of(report: &SlicerReport, change: usize) -> Need {
        let why = report.why.iter().find(|why| why.change == change);
        match why {
            _ if report.always.contains(&change) => Need::Given,
            Some(_) if report.context(change).is_some() => Need::Git,
            Some(_) => Need::Test,
            None => Need::Open,
        }
    }

    /// Returns the label and the legend of changes with this reason.
    pub(crate) fn words(self, report: &SlicerReport) -> (&'static str, &'static str) {
        let is_pass = passes(report);
        match self {
            Need::Given => ("to pick", "the commit that you named"),
            Need::Test if is_pass => ("test needs", "without any of these, the test does not pass"),
            Need::Test => ("test needs", "without any of these, the test does not fail"),
            Need::Git => ("Git needs", "without any of these, Git cannot apply another change of the slice"),
            Need::Open => ("not proved", "the test was not run without each of these"),
        }
    }
}

/// Returns whether the slice passed, rather than failed.
fn passes(report: &SlicerReport) -> bool {
    let kept: ChangeSet = report.kept.iter().copied().collect();
    let is_slice = |seen: &&TargetObservation| seen.target.changes.as_ref() == Some(&kept);
    report.observations.iter().rfind(is_slice).is_some_and(|seen| seen.observation.outcome == Outcome::Pass)
}

/// Returns the number of changes that are not needed, in words, if a slice was found.
pub(crate) fn not_needed(report: &SlicerReport, has_commits: bool) -> Option<String> {
    let left = report.of.saturating_sub(report.kept.len());
    let what = if has_commits { "commit" } else { "change" };
    let keeps = if passes(report) { "passes" } else { "fails" };
    (report.status == Status::Found && left > 0 && !report.sizes.is_empty())
        .then(|| format!("{}, the test {keeps} without {}", count(left, what), if left == 1 { "it" } else { "them" }))
}
