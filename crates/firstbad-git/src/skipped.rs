//! A check for commits that a search with paths did not consider.

use firstbad::regression::RegressionReport;
use firstbad::{Find, Status, option};

use crate::git;
use crate::repository::Repository;

/// The maximum number of points to check, and of revisions to exclude.
const CHECKED: usize = 20;
const EXCLUDED: usize = 200;

/// Makes each point inconclusive whose culprit has an untested parent, because the commits between its two sides do not touch the
/// paths. If Git cannot read the history, the report does not change.
pub(crate) fn check(report: &mut RegressionReport, repository: &Repository) {
    if report.paths.is_empty() || report.status != Status::Found {
        return;
    }
    let mut is_open = false;
    for place in 0..report.points.len().min(CHECKED) {
        let point = &report.points[place];
        let (Some(culprit), Some(older)) = (point.culprit.clone(), point.older().map(str::to_owned)) else { continue };
        let Some(skipped @ 1..) = skipped(report, repository, &culprit, &older) else { continue };
        report.points[place].culprit = None;
        let (commits, were, them) = if skipped == 1 { ("commit", "was", "it") } else { ("commits", "were", "them") };
        report.warnings.push(format!(
            "{skipped} {commits} between {older} and {culprit} {were} not considered. Omit {} to test {them}",
            option!(paths)
        ));
        if !is_open {
            let does = if report.find == Find::Fix { "passes" } else { "fails" };
            report.message = format!(
                "among commits that touch these paths, {culprit} is the first that {does}, but its parent was not tested"
            );
        }
        is_open = true;
    }
    if is_open {
        report.status = Status::Ambiguous;
    }
}

/// Returns the number of commits before the culprit that are newer than all revisions with the older outcome.
fn skipped(report: &RegressionReport, repository: &Repository, culprit: &str, older: &str) -> Option<usize> {
    let before = if report.find == Find::Fix { firstbad::Outcome::Fail } else { firstbad::Outcome::Pass };
    let seen = report.observations.iter().filter(|seen| seen.observation.outcome == before);
    let tested = seen.filter_map(|seen| seen.target.revision.as_deref()).take(EXCLUDED);
    let parents = repository.parents(culprit).ok()?;
    let parents = if report.first_parent { parents.get(..1).unwrap_or_default() } else { &parents[..] };
    if parents.is_empty() {
        return None;
    }
    let mut command = repository.git();
    command.args(["rev-list", "--count"]).args(report.first_parent.then_some("--first-parent")).args(parents);
    command.arg("--not").arg(older).args(tested).arg("--");
    let printed = git::output(&mut command, b"").ok()?;
    String::from_utf8_lossy(&printed).trim().parse().ok()
}
