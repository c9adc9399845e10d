//! Warnings about submodules and Git LFS files, which a checkout leaves empty.

use std::time::Duration;

use firstbad::{Outcome, Report, Status, TargetObservation, option};

use crate::git;
use crate::repository::Repository;

/// The start of the note for a revision with a submodule that cannot be checked out.
pub const CANNOT_FILL: &str = "cannot fill the submodule ";

/// The time limit for `git grep`, because a report waits for it.
const PATIENCE: Duration = Duration::from_secs(5);

/// The maximum output, in bytes. One name is enough.
const MOST: u64 = 1 << 20;

/// The start of a Git LFS pointer file.
const POINTER: &str = "version https://git-lfs.github.com/spec/v1";

/// Returns reasons why no revision could be tested or every run failed: submodules and Git LFS files that were not checked out.
/// Returns nothing if the repository cannot be read.
pub(crate) fn reasons(report: &Report, repository: &Repository) -> Vec<String> {
    let is_unresolved =
        |seen: &&TargetObservation| seen.observation.ran && seen.observation.outcome == Outcome::Unresolved;
    let observations = report.observations();
    let is_failed = |seen: &&TargetObservation| seen.observation.ran && seen.observation.outcome == Outcome::Fail;
    let ended_so = report.status() == Status::Untestable || observations.iter().all(|seen| is_unresolved(&seen));
    let untested = observations.iter().find(is_unresolved).filter(|_| ended_so);
    let all_failed = observations.iter().all(|seen| is_failed(&seen));
    let (first, happened) = match untested {
        Some(seen) => (Some(seen), "was unresolved"),
        None => (observations.iter().find(is_failed).filter(|_| all_failed), "failed, as every revision did"),
    };
    let revision = first.and_then(|seen| seen.target.revision.clone());
    let Some(revision) = revision else { return Vec::new() };
    let mut reasons = Vec::new();
    // A submodule that could not be checked out already has its own note.
    let is_told =
        |seen: &TargetObservation| seen.observation.note.as_ref().is_some_and(|note| note.starts_with(CANNOT_FILL));
    if !observations.iter().any(is_told)
        && git::output(repository.git().args(["cat-file", "-e", &format!("{revision}:.gitmodules")]), b"").is_ok()
    {
        reasons.push(format!(
            "{revision} {happened}, and it has submodules (.gitmodules). Their folders are empty unless you set {}",
            option!(submodules = true)
        ));
    }
    let mut search = repository.git();
    search.args(["grep", "-l", "-I", "-F", "--no-textconv", "--max-count=1", "-e", POINTER, &revision, "--"]);
    let found = git::output_within(&mut search, b"", PATIENCE, MOST).unwrap_or_default();
    let found = String::from_utf8_lossy(&found);
    if let Some(file) = found.lines().next().and_then(|line| line.split_once(':')).map(|(_, file)| file) {
        reasons.push(format!(
            "{revision} {happened}, and it has Git LFS files, such as {file}. They are pointers unless you set {}",
            option!(lfs = true)
        ));
    }
    reasons
}
