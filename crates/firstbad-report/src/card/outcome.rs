//! The status and the cost of a search.

use firstbad::search::Status;
use firstbad::{Find, Report};

use super::figures::{count, seconds};
use super::runs;

/// Returns the status as a sentence without a period.
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
        Status::Spread => "Spread over several commits",
        Status::NoChange => "No change",
        Status::HistoryExhausted => "The history has no older revision",
        Status::PatchTooLarge => "The patch became too large",
        Status::RevisionNotReadable => "An older revision is not in this repository",
    }
}

/// Returns the status of a regression search. A search for a fix swaps the endpoints.
pub(super) fn of_regression(status: Status, find: Find) -> &'static str {
    match (find, status) {
        (Find::Fix, Status::NotReproduced) => "The fix was not reproduced",
        (Find::Fix, Status::GoodEndFails) => "A bad revision passes",
        (Find::Fix, Status::NoPassingRevision) => "No failing revision found",
        _ => of(status),
    }
}

/// Returns the cost of a search.
pub(super) fn cost(report: &Report) -> String {
    let time = runs::time(report.observations()).map_or(String::new(), |time| format!(", {}", seconds(time)));
    format!("{}{time}", count(report.runs(), "run"))
}
