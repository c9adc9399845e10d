//! A check for culprits with the same files as their parent. The test is then flaky or depends on more than the files.

use firstbad::regression::RegressionReport;

use crate::git;
use crate::repository::Repository;

/// The maximum number of points to check.
const COMPARED: usize = 20;

/// Marks each point as contradictory whose culprit has the same tree as the parent with the opposite outcome. If Git cannot read
/// the trees, the report does not change.
pub(crate) fn check(report: &mut RegressionReport, repository: &Repository) {
    let named = report.points.iter().filter(|point| point.candidates.is_empty());
    let pairs = named.filter_map(|point| Some((point.newer().to_owned(), point.older()?.to_owned())));
    let pairs: Vec<(String, String)> = pairs.take(COMPARED).collect();
    if pairs.is_empty() {
        return;
    }
    let trees = trees(repository, &pairs).unwrap_or_default();
    for ((culprit, parent), trees) in pairs.iter().zip(trees.chunks(2)) {
        if let [one, other] = trees
            && one == other
        {
            report.contradict_equal_files(culprit, parent);
        }
    }
}

/// Returns the trees of each pair of commits, in order.
fn trees(repository: &Repository, pairs: &[(String, String)]) -> Option<Vec<String>> {
    let commits = pairs.iter().flat_map(|(culprit, parent)| [culprit, parent]);
    let names: Vec<String> = commits.map(|commit| format!("{commit}^{{tree}}")).collect();
    let mut command = repository.git();
    command.arg("rev-parse").args(&names);
    let text = git::output(&mut command, b"").ok()?;
    let trees: Vec<String> = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
    (trees.len() == names.len()).then_some(trees)
}
