//! Culprits that make the same change, such as a commit and its cherry-pick on another branch.

use std::collections::BTreeMap;
use std::time::Duration;

use firstbad::regression::RegressionReport;

use crate::git;
use crate::repository::Repository;

/// How many culprits are compared, how many bytes their patches may have, and how long Git may take.
const COMPARED: usize = 20;
const MOST_BYTES: u64 = 1 << 24;
const PATIENCE: Duration = Duration::from_secs(5);

/// Records which culprits of a report have the same patch-id. If Git cannot tell, the report stays as it is.
pub(crate) fn check(report: &mut RegressionReport, repository: &Repository) {
    let named = report.points.iter().filter(|point| point.candidates.is_empty() && point.older().is_some());
    let culprits: Vec<String> = named.take(COMPARED).map(|point| point.newer().to_owned()).collect();
    if culprits.len() < 2 {
        return;
    }
    for same in patch_ids(repository, &culprits).unwrap_or_default().values().filter(|same| same.len() > 1) {
        report.unite_same_changes(same);
    }
}

/// Returns the commits of each patch-id. Merges have none. Returns `None` if Git cannot tell in a few seconds.
pub(crate) fn patch_ids(repository: &Repository, commits: &[String]) -> Option<BTreeMap<String, Vec<String>>> {
    let listed: String = commits.iter().map(|commit| format!("{commit}\n")).collect();
    let mut command = repository.git();
    command.args([
        "diff-tree",
        "--stdin",
        "-r",
        "-p",
        "--full-index",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
    ]);
    let patches = git::output_within(&mut command, listed.as_bytes(), PATIENCE, MOST_BYTES).ok()?;
    let mut command = repository.git();
    command.args(["patch-id", "--stable"]);
    let lines = git::output_within(&mut command, &patches, PATIENCE, MOST_BYTES).ok()?;
    let mut same: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&lines).lines() {
        let (patch, commit) = line.split_once(' ')?;
        same.entry(patch.to_owned()).or_default().push(commit.to_owned());
    }
    Some(same)
}
