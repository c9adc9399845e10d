//! Where a search stands.

use serde::{Deserialize, Serialize};

/// Where a search stands.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not done yet: there is something to ask, or answers are awaited.
    Running,
    /// Every bad revision has its answer, down to an edge.
    Found,
    /// Unresolved revisions stand between: the answer names candidates.
    Ambiguous,
    /// No bad revision fails (or not with the failure searched for).
    NotReproduced,
    /// A revision given as good fails.
    GoodEndFails,
    /// No revision that passes was found, so nobody is blamed.
    NoPassingRevision,
    /// What was given as bad cannot be tested, nor what takes its place, so nobody is blamed.
    Untestable,
    /// The budget was used up first.
    Budget,
    /// The caller or its oracle stopped it first.
    Stopped,
    /// The answers fit no single culprit at the flake rate given.
    Contradictory,
    /// The test fails, or passes, by itself so often that telling would take too many runs.
    TooFlaky,
    /// No revision on the way passes, and there is none older.
    HistoryExhausted,
    /// What the test needs became larger than it may be.
    PatchTooLarge,
    /// Older revisions exist, and are not in this repository.
    RevisionNotReadable,
}

impl Status {
    /// The status in `snake_case`, as in the public contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Running => "running",
            Status::Found => "found",
            Status::Ambiguous => "ambiguous",
            Status::NotReproduced => "not_reproduced",
            Status::GoodEndFails => "good_end_fails",
            Status::NoPassingRevision => "no_passing_revision",
            Status::Untestable => "untestable",
            Status::Budget => "budget",
            Status::Stopped => "stopped",
            Status::Contradictory => "contradictory",
            Status::TooFlaky => "too_flaky",
            Status::HistoryExhausted => "history_exhausted",
            Status::PatchTooLarge => "patch_too_large",
            Status::RevisionNotReadable => "revision_not_readable",
        }
    }
}
