//! The report of a culprit verification.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::belief::RunCounts;
use crate::finding::commit::Commit;
use crate::search::Status;
use crate::search::TargetObservation;

/// The role of a revision in a verification.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A good revision, `s_0`. It must pass.
    Good,
    /// A parent of the culprit, `s_(k-1)`. It must pass.
    Parent,
    /// The culprit, `s_k`. It must never pass.
    Culprit,
    /// The bad revision, `s_n`. With a culprit it must never pass, and with a flake it must pass.
    Bad,
}

/// A check and its runs.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The role of the revision.
    pub role: Role,
    /// The revision.
    pub revision: String,
    /// The runs of the revision.
    pub runs: RunCounts,
}

/// Why a conclusion is incorrect or cannot be verified ("When is a Culprit Incorrect?").
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasonCode {
    /// The flake cannot be reproduced, because the bad revision never passes.
    BadNeverPasses,
    /// The bad revision passes, so its failure was a flake.
    BadPasses,
    /// The culprit passes.
    CulpritPasses,
    /// A parent of the culprit never passes.
    ParentNeverPasses,
    /// A good revision never passes. The failure may depend on time or environment.
    GoodNeverPasses,
    /// No pass of a good revision came before a failure of the bad revision.
    NoGoodPassBeforeBadFail,
    /// No failure of the bad revision came before a pass of a good revision.
    NoBadFailBeforeGoodPass,
    /// No pass of a parent came before a failure of the culprit.
    NoParentPassBeforeCulpritFail,
    /// No failure of the culprit came before a pass of a parent.
    NoCulpritFailBeforeParentPass,
    /// An earlier verification had the opposite verdict.
    NotReproducible,
    /// A required revision is unresolved, so the conclusion cannot be verified.
    Unresolved,
}

/// A reason against a conclusion.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationReason {
    /// The kind of reason.
    pub code: ReasonCode,
    /// The revision that the reason concerns.
    pub revision: String,
    /// The reason in a sentence.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
}

/// The result of a culprit verification.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationReport {
    /// The status of the verification: `found` if there is a verdict, `ambiguous` if a required revision is unresolved.
    pub status: Status,
    /// Whether the conclusion is correct, or `None` as long as there is no verdict.
    pub correct: Option<bool>,
    /// Why the conclusion is incorrect or cannot be verified. Empty if the conclusion is correct.
    pub reasons: Vec<VerificationReason>,
    /// The result in one sentence.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The verified conclusion: the culprit, or `None` for a flake.
    pub culprit: Option<String>,
    /// The maximum number of runs of each check: `ceil(log((1 - C) / n) / log(f))`. `n` is the number of ways in which flakes can
    /// mislead the verification: two for each good revision and each parent of the culprit, or one for a flake.
    pub reruns: u32,
    /// The runs of each check.
    pub checks: Vec<Check>,
    /// Warnings about the result, in sentences.
    #[serde(default, with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// The number of outcomes from the oracle, including outcomes that cost no run.
    pub asked: u64,
    /// The number of outcomes that cost a run.
    pub runs: u64,
    /// All observations, in the order in which they were reported.
    pub observations: Vec<TargetObservation>,
    /// Details of the commits in the result, by full id. Empty if the history is not from a repository, while the search runs,
    /// and if the repository could not be read.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
}
