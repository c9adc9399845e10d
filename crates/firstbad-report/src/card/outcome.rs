//! How a search ended, and what it cost.

use firstbad::search::Status;
use firstbad::{Find, Report};

use super::figures::{count, seconds};
use super::runs;

/// How a search ended that has no answer, or that has one.
pub(super) fn of(status: Status) -> &'static str {
    match status {
        Status::Running => "The search has not finished",
        Status::Found => "Found",
        Status::Ambiguous => "The deciding revisions are unresolved",
        Status::NotReproduced => "The failure was not reproduced",
        Status::GoodEndFails => "A good revision fails",
        Status::NoPassingRevision => "No passing revision found",
        Status::Untestable => "The bad revision is unresolved",
        Status::Budget => "The budget is used up",
        Status::Stopped => "The search was stopped",
        Status::Contradictory => "The outcomes fit no single culprit",
        Status::TooFlaky => "The test is too flaky",
        Status::HistoryExhausted => "The history has no older revision",
        Status::PatchTooLarge => "The patch became too large",
        Status::RevisionNotReadable => "An older revision is not in this repository",
    }
}

/// The same of a search for regressions, whose ends have each other's roles where it looks for a fix.
pub(super) fn of_regression(status: Status, find: Find) -> &'static str {
    match (find, status) {
        (Find::Fix, Status::NotReproduced) => "The fix was not reproduced",
        (Find::Fix, Status::GoodEndFails) => "A bad revision passes",
        (Find::Fix, Status::NoPassingRevision) => "No failing revision found",
        _ => of(status),
    }
}

/// What an answer cost.
pub(super) fn cost(report: &Report) -> String {
    let time = runs::time(report.observations()).map_or(String::new(), |time| format!(", {}", seconds(time)));
    format!("{}{time}", count(report.runs(), "run"))
}
