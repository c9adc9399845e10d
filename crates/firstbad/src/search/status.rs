use serde::{Deserialize, Serialize};

/// The status of a search.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The search is not done: it has targets to ask for or waits for outcomes.
    Running,
    /// The search found its result, down to an edge for each bad revision.
    Found,
    /// Unresolved revisions hide the culprit, so the result has several candidates.
    Ambiguous,
    /// No bad revision fails, or none fails with the failure searched for.
    NotReproduced,
    /// A revision given as good fails.
    GoodEndFails,
    /// No culprit found, because no revision passes.
    NoPassingRevision,
    /// No culprit found, because the bad revisions and their replacements are unresolved.
    Untestable,
    /// The budget was used up before the search was done.
    Budget,
    /// The caller or the oracle stopped the search before it was done.
    Stopped,
    /// No single culprit fits the outcomes at the given flake rate.
    Contradictory,
    /// The test fails or passes by chance so often that the search would take too many runs.
    TooFlaky,
    /// The number changed between the endpoints, but no single commit changed it by enough.
    Spread,
    /// The number at the endpoints does not differ by enough.
    NoChange,
    /// No tested revision passes, and there are no older revisions.
    HistoryExhausted,
    /// The patch that the test needs exceeds its maximum size.
    PatchTooLarge,
    /// Older revisions exist but are missing from this repository.
    RevisionNotReadable,
}

impl Status {
    /// Returns the status in `snake_case`. This name is stable.
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
            Status::Spread => "spread",
            Status::NoChange => "no_change",
            Status::HistoryExhausted => "history_exhausted",
            Status::PatchTooLarge => "patch_too_large",
            Status::RevisionNotReadable => "revision_not_readable",
        }
    }
}
