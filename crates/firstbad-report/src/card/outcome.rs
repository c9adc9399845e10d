//! How a search ended, and what it cost.

use firstbad::search::Status;
use firstbad::{Find, Report};

use super::figures::{count, seconds};
use super::runs;

/// How a search ended that has no answer, or that has one.
pub(super) fn of(status: Status) -> &'static str {
    match status {
        Status::Running => "The search has not ended",
        Status::Found => "Found",
        Status::Ambiguous => "What would tell cannot be tested",
        Status::NotReproduced => "The failure was not reproduced",
        Status::GoodEndFails => "A revision that was given as good fails",
        Status::NoPassingRevision => "No revision that passes was found",
        Status::Untestable => "It cannot be tested",
        Status::Budget => "The budget was used up first",
        Status::Stopped => "It was stopped first",
        Status::Contradictory => "The answers fit no single culprit",
        Status::TooFlaky => "Too flaky: a run tells next to nothing",
        Status::HistoryExhausted => "The history has no older revision",
        Status::PatchTooLarge => "The patch became too large",
        Status::RevisionNotReadable => "An older revision is not in this repository",
    }
}

/// The same of a search for regressions, whose ends have each other's roles where it looks for a fix.
pub(super) fn of_regression(status: Status, find: Find) -> &'static str {
    match (find, status) {
        (Find::Fix, Status::NotReproduced) => "The repair was not reproduced",
        (Find::Fix, Status::GoodEndFails) => "A revision that was given as bad passes",
        (Find::Fix, Status::NoPassingRevision) => "No revision that fails was found",
        _ => of(status),
    }
}

/// What an answer cost.
pub(super) fn cost(report: &Report) -> String {
    let time = runs::time(report.observations()).map_or(String::new(), |time| format!(", {}", seconds(time)));
    format!("{}{time}", count(report.runs(), "run"))
}
