//! What a culprit search answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::belief::Tally;
use crate::finding::commit::Commit;
use crate::search::Hypothesis;
use crate::search::Outcome;
use crate::search::Status;
use crate::search::TargetObservation;
use crate::suspicion::WhyTried;

/// Who is to blame.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// One revision (FACF: `CULPRIT_VERSION_IDENTIFIED`).
    Culprit,
    /// Nobody: the failure was a flake (FACF: `FLAKE_IDENTIFIED`).
    Flake,
    /// It cannot be said, or not yet.
    Inconclusive,
}

/// Why a search has, or has not, come to its conclusion.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Not done yet.
    Running,
    /// The conclusion's probability has reached the confidence asked for.
    Confident,
    /// With `choose = "bisect"`: nothing else is left if every outcome is what its reruns make of it. How likely that
    /// is, the probability says.
    Bisected,
    /// The suspects left differ only at revisions that cannot be tested: unresolved ones, those inside a block of
    /// such, and those whose runs did not settle it.
    Inseparable,
    /// One revision has reached the confidence, and is not named: of what it rests on, the [`missing`] runs were not
    /// seen and cannot be had, or it has no parent that could pass.
    ///
    /// [`missing`]: CulpritReport::missing
    Unproven,
    /// The answers fit no single culprit at the flake rate given.
    Contradictory,
    /// The end that was given as good fails.
    GoodEndFails,
    /// The rates found, see [`flake_rate`](CulpritReport::flake_rate) and
    /// [`false_pass_rate`](CulpritReport::false_pass_rate), would take too many runs.
    TooFlaky,
    /// The budget was used up first.
    Budget,
    /// The caller or its oracle stopped it first.
    Stopped,
}

/// An outcome of a revision that was not seen.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MissingRun {
    /// The revision.
    pub revision: String,
    /// The outcome that no run of it had: a pass or a failure.
    #[cfg_attr(test, schemars(extend("enum" = ["pass", "fail"])))]
    pub outcome: Outcome,
}

/// The answer of a culprit search, final or the best so far (FACF: Henderson et al. 2023).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CulpritReport {
    /// Where the search stands.
    pub status: Status,
    /// Who is to blame.
    pub conclusion: Conclusion,
    /// Why that, or why not more.
    pub reason: Reason,
    /// The same in one or two sentences, for people.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The culprit; nothing unless the conclusion is `culprit`.
    pub culprit: Option<String>,
    /// The posterior probability of the conclusion, in [0, 1]: for `culprit` that it is this revision, for `flake` that
    /// there is no culprit, for `inconclusive` that of the most probable hypothesis.
    pub probability: f64,
    /// The posterior probability that there is no culprit, in [0, 1].
    pub no_culprit: f64,
    /// The fewest hypotheses that reach the confidence together, most probable first, once the search has ended; for
    /// `inseparable` all those that cannot be told apart; while it runs only the most probable ones, at most ten.
    pub credible_set: Vec<Hypothesis>,
    /// Where one suspect has reached the confidence: what was not seen (yet), of a failure of it and a pass of each of
    /// its parents. Nobody is named before all of it was; else the conclusion is `inconclusive` and the reason
    /// [`Reason::Unproven`]. Empty in all other cases.
    pub missing: Vec<MissingRun>,
    /// What is to be known before one believes the answer, or its cost, in sentences.
    #[serde(default, with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// How many answers came from the oracle.
    pub queries: u64,
    /// How many executions of the test all answers stand for, counts included.
    pub runs: u64,
    /// The flake rate: as given, or its posterior mean if it is estimated, in [0, 1).
    pub flake_rate: f64,
    /// The rate of false passes, likewise.
    pub false_pass_rate: f64,
    /// Whether the rates told fit what was seen; true if none were told. False once what was seen is `1 / (1 - confidence)`
    /// times as likely with both rates unknown: these are then estimated instead
    /// ([`CulpritConfig::verify`](super::CulpritConfig::verify)).
    pub rates_fit: bool,
    /// Whether the short verification at the end has confirmed the conclusion ([`CulpritConfig::verify`](super::CulpritConfig::verify)).
    pub verified: bool,
    /// Once the search has ended: how many failures came in a row at revisions that are healthy by the most probable
    /// hypothesis, by [`started`](crate::Observation::started) or else in the order told, if neither the flake rate nor
    /// chance explains that with the confidence asked for.
    pub burst: Option<u32>,
    /// Runs at revisions that are healthy by the most probable hypothesis: what was seen of the flake rate.
    pub seen_at_healthy: Tally,
    /// Everything that was seen, in the order told.
    pub observations: Vec<TargetObservation>,
    /// Why revisions were tried, for those that were asked or are to blame and of which the prior knows it
    /// (`prior = "changes"`).
    #[serde(default)]
    pub why: BTreeMap<String, WhyTried>,
    /// A name for this finding, as that of a [`RegressionPoint`](crate::RegressionPoint): of the culprit, or of all
    /// suspects that cannot be told apart. `None` as long as there is no culprit.
    pub fingerprint: Option<String>,
    /// What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
    /// elsewhere, while the search runs, and where the repository could not say it.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
}

impl CulpritReport {
    /// Who is to blame: the culprit alone, or all suspects that cannot be told apart; empty if nobody is (yet).
    #[must_use]
    pub fn suspects(&self) -> Vec<&str> {
        match (&self.culprit, self.reason) {
            (Some(culprit), _) => vec![culprit],
            (None, Reason::Inseparable) => self.credible_set.iter().filter_map(|one| one.revision.as_deref()).collect(),
            _ => Vec::new(),
        }
    }
}
