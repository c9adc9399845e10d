//! A culprit that has the same files as its parent cannot be the culprit.

use firstbad::regression::RegressionReport;

use crate::git;
use crate::repository::Repository;

/// Of how many points the files are compared.
const COMPARED: usize = 20;

/// Contradicts each point whose culprit has the same tree as a parent with the opposite outcome. What cannot be read is left as
/// it is: an answer stands without it.
pub(crate) fn check(report: &mut RegressionReport, repository: &Repository) {
    let culprits = report.points.iter().filter(|point| point.candidates.is_empty()).take(COMPARED);
    let culprits: Vec<String> = culprits.map(|point| point.newer().to_owned()).collect();
    for culprit in culprits {
        let Ok(parents) = repository.parents(&culprit) else { continue };
        let Some(trees) = trees(repository, std::iter::once(&culprit).chain(&parents)) else { continue };
        let same = parents.iter().zip(&trees[1..]).find(|(_, tree)| **tree == trees[0]);
        if let Some((parent, _)) = same {
            report.contradict_equal_files(&culprit, parent);
        }
    }
}

/// The tree of each commit, in their order.
fn trees<'a>(repository: &Repository, commits: impl Iterator<Item = &'a String>) -> Option<Vec<String>> {
    let names: Vec<String> = commits.map(|commit| format!("{commit}^{{tree}}")).collect();
    let mut command = repository.git();
    command.arg("rev-parse").args(&names);
    let text = git::output(&mut command, b"").ok()?;
    let trees: Vec<String> = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
    (trees.len() == names.len()).then_some(trees)
}
