//! What a verification answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::belief::RunCounts;
use crate::finding::commit::Commit;
use crate::search::Status;
use crate::search::TargetObservation;

/// What a revision is checked as.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A good end, `s_0`: it must pass.
    Good,
    /// A parent of the culprit, `s_(k-1)`: it must pass.
    Parent,
    /// The culprit, `s_k`: it must never pass.
    Culprit,
    /// The revision that was seen to fail, `s_n`: it must never pass; if the failure is said to have been a flake,
    /// it must pass.
    Bad,
}

/// The runs of one check.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What the revision is checked as.
    pub role: Role,
    /// The revision.
    pub revision: String,
    /// Its runs.
    pub runs: RunCounts,
}

/// Why a conclusion is not correct, or cannot be trusted ("When is a Culprit Incorrect?").
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasonCode {
    /// The flake cannot be reproduced: the revision that was seen to fail never passes.
    BadNeverPasses,
    /// The revision that was seen to fail passes: it was a flake.
    BadPasses,
    /// The culprit passes.
    CulpritPasses,
    /// A parent of the culprit never passes.
    ParentNeverPasses,
    /// The good end never passes: the failure may depend on the time or the environment.
    GoodNeverPasses,
    /// No pass of the good end came before a failure of the bad one.
    NoGoodPassBeforeBadFail,
    /// No failure of the bad end came before a pass of the good one.
    NoBadFailBeforeGoodPass,
    /// No pass of a parent came before a failure of the culprit.
    NoParentPassBeforeCulpritFail,
    /// No failure of the culprit came before a pass of a parent.
    NoCulpritFailBeforeParentPass,
    /// An earlier verification said otherwise.
    NotReproducible,
    /// A revision cannot be tested, so nothing is proved about it.
    Unresolved,
}

/// A reason with its revision, in a sentence.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationReason {
    /// Which condition it is.
    pub code: ReasonCode,
    /// The revision that it is about.
    pub revision: String,
    /// A sentence for people.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
}

/// The answer of a verification.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationReport {
    /// Where the verification stands: `found` once there is a verdict, `ambiguous` if a revision cannot be tested.
    pub status: Status,
    /// The verdict; `None` as long as there is none.
    pub correct: Option<bool>,
    /// Why the conclusion is not correct, or why nothing can be said; empty if it is correct.
    pub reasons: Vec<VerificationReason>,
    /// The same in one sentence, for people.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The conclusion verified: the culprit, or `None` for a flake.
    pub culprit: Option<String>,
    /// How many runs each check takes at most: `ceil(log((1 - C) / n) / log(f))` for the `n` ways in which flakes could
    /// mislead the verdict: two for each good end and each parent of the culprit, one for a flake.
    pub reruns: u32,
    /// What each check saw.
    pub checks: Vec<Check>,
    /// Warnings about the result, in sentences.
    #[serde(default, with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// How many answers came from the oracle.
    pub runs: u64,
    /// Everything that was seen, in the order told.
    pub observations: Vec<TargetObservation>,
    /// What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
    /// elsewhere, while the search runs, and where the repository could not say it.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
}
