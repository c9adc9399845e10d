//! The report of a culprit search.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::belief::RunCounts;
use crate::finding::commit::Commit;
use crate::search::Hypothesis;
use crate::search::Outcome;
use crate::search::Status;
use crate::search::TargetObservation;
use crate::suspicion::SelectionReason;

/// The conclusion of a culprit search.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// One revision is the culprit (FACF: `CULPRIT_VERSION_IDENTIFIED`).
    Culprit,
    /// There is no culprit: the failure was a flake (FACF: `FLAKE_IDENTIFIED`).
    Flake,
    /// There is no conclusion, or none yet.
    Inconclusive,
}

/// Why a search reached, or did not reach, a conclusion.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The search is still running.
    Running,
    /// The probability of the conclusion has reached the requested confidence.
    Confident,
    /// With `choose = "bisect"`, a single hypothesis is left if every outcome is right. See
    /// [`probability`](CulpritReport::probability) for how likely that is.
    Bisected,
    /// The remaining suspects differ only at revisions that cannot be settled: unresolved revisions, revisions inside an
    /// unresolved block, and revisions at the maximum number of runs.
    Inseparable,
    /// A revision has reached the confidence but is not reported as the culprit. The [`missing`] runs cannot be obtained, or the
    /// revision has no parent that could pass.
    ///
    /// [`missing`]: CulpritReport::missing
    Unproven,
    /// No single culprit explains the outcomes at the given flake rate.
    Contradictory,
    /// A good revision fails.
    GoodEndFails,
    /// The search would take too many runs at the estimated [`flake_rate`](CulpritReport::flake_rate) and
    /// [`false_pass_rate`](CulpritReport::false_pass_rate).
    TooFlaky,
    /// The budget was used up first.
    Budget,
    /// The caller or the oracle stopped the search first.
    Stopped,
}

/// A required outcome that was not observed.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MissingRun {
    /// The revision.
    pub revision: String,
    /// The outcome that no run of the revision had: pass or fail.
    #[cfg_attr(test, schemars(extend("enum" = ["pass", "fail"])))]
    pub outcome: Outcome,
}

/// The result of a culprit search, final or the best so far.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CulpritReport {
    /// The status of the search.
    pub status: Status,
    /// The conclusion.
    pub conclusion: Conclusion,
    /// The reason for the conclusion, or for its absence.
    pub reason: Reason,
    /// The result in one or two sentences.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The culprit. `None` unless the conclusion is `culprit`.
    pub culprit: Option<String>,
    /// The posterior probability of the conclusion, in [0, 1]. For `culprit` it is that of the culprit, for `flake` that of no
    /// culprit, and for `inconclusive` that of the most probable hypothesis.
    pub probability: f64,
    /// The posterior probability that there is no culprit, in [0, 1].
    pub no_culprit: f64,
    /// The smallest set of hypotheses that reaches the confidence, most probable first. If the reason is `inseparable`, all
    /// hypotheses that no test can separate. While the search runs, at most the ten most probable hypotheses.
    pub credible_set: Vec<Hypothesis>,
    /// The missing runs of a suspect that has reached the confidence: a failure of the suspect and a pass of each parent. Until
    /// none is missing, the conclusion is `inconclusive`. If they cannot be obtained, the reason is [`Reason::Unproven`]. Empty
    /// in all other cases.
    pub missing: Vec<MissingRun>,
    /// Warnings about the result or its cost, in sentences.
    #[serde(default, with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// The number of outcomes from the oracle, including outcomes that cost no run.
    pub asked: u64,
    /// The number of outcomes that cost a run. An observation with counts is one run of the oracle.
    pub runs: u64,
    /// The flake rate, in [0, 1): as given, or the posterior mean if it is estimated.
    pub flake_rate: f64,
    /// The rate of false passes, in [0, 1): as given, or the posterior mean if it is estimated.
    pub false_pass_rate: f64,
    /// Whether the given rates fit the observations. True if no rate was given. False if the observations are
    /// `1 / (1 - confidence)` times as likely with both rates unknown. Both rates are then estimated
    /// ([`CulpritConfig::verify`](super::CulpritConfig::verify)).
    pub rates_consistent: bool,
    /// Whether the final verification confirmed the conclusion ([`CulpritConfig::verify`](super::CulpritConfig::verify)).
    pub verified: bool,
    /// The length of the longest row of failures at healthy revisions, if neither the flake rate nor chance explains it at the
    /// requested confidence. Set when the search ends. Revisions are healthy under the most probable hypothesis. Runs are ordered
    /// by [`started`](crate::Observation::started), or by when they were reported if a start time is missing.
    pub failure_streak: Option<u32>,
    /// The runs at revisions that are healthy under the most probable hypothesis, as evidence of the flake rate.
    pub healthy_runs: RunCounts,
    /// All observations, in the order in which they were reported.
    pub observations: Vec<TargetObservation>,
    /// Why revisions were tried, with `prior = "changes"`. Covers the culprit and the tested revisions for which the prior has
    /// reasons.
    #[serde(default)]
    pub why: BTreeMap<String, SelectionReason>,
    /// An identifier of this finding, 32 hexadecimal digits. It is the same in every run that finds the same culprit, or the
    /// same suspects that no test can separate, also in a regression search. `None` if there is no culprit, or none yet.
    pub fingerprint: Option<String>,
    /// Details of the commits in the result, by full id. Empty if the history is not from a repository, while the search runs,
    /// and if the repository could not be read.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
}

impl CulpritReport {
    /// Returns the culprit, or all suspects if no test can separate them. Empty if there is no culprit, or none yet.
    #[must_use]
    pub fn suspects(&self) -> Vec<&str> {
        match (&self.culprit, self.reason) {
            (Some(culprit), _) => vec![culprit],
            (None, Reason::Inseparable) => self.credible_set.iter().filter_map(|one| one.revision.as_deref()).collect(),
            _ => Vec::new(),
        }
    }
}
