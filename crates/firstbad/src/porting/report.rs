use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::reason::Reason;
use crate::finding::commit::Commit;
use crate::reduction::Guarantee;
use crate::search::{Content, Observation, Outcome, Status, Target, TargetObservation};

/// A patch that the search found.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PortedPatch {
    /// The tree that the patch applies to: a revision, or a revision with a part of an earlier [read](crate::Read) applied.
    pub on: Target,
    /// The number of changes in the patch.
    pub changes: usize,
    /// The number of changes before the reduction.
    pub of: usize,
    /// The guarantee about the size of the patch.
    pub guarantee: Guarantee,
    /// The patch as text, or `None` if it is not valid UTF-8.
    pub text: Option<String>,
    /// The patch as bytes if it is not valid UTF-8.
    #[serde(default)]
    pub bytes: Option<Content>,
}

impl PortedPatch {
    /// Returns the patch in the format of `git apply`.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        match (&self.text, &self.bytes) {
            (Some(text), _) => text.as_bytes(),
            (None, Some(bytes)) => bytes.bytes(),
            (None, None) => b"",
        }
    }
}

/// The outcome at a version.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// The wanted outcome: the failure of the start on the way back, and a pass on the way forward.
    Kept,
    /// A pass on the way back.
    Pass,
    /// Another outcome.
    Other,
    /// The version does not build without a patch and was skipped.
    Skipped,
    /// Another outcome, after which a new patch was found that keeps the wanted outcome.
    Reduced,
}

/// A version on the way.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PorterStep {
    /// The revision of this version.
    pub revision: String,
    /// Whether the version is on the way forward.
    pub forward: bool,
    /// The outcome at this version.
    pub outcome: StepOutcome,
    /// A description: outcome, failure, and stage, with the carried patch.
    pub seen: String,
    /// How the patch was applied, from `"carried"` in the oracle's `signals`, or `None` if the signals do not contain it.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("kind" = "CarriedBy")))]
    pub carried: Option<String>,
    /// The position on the way: 0 for the start, 1 for the revision before it, and -1 for the revision after it.
    pub place: i64,
    /// The number of changes in the carried patch.
    pub patch: usize,
    /// The reason why the version did not show the wanted outcome with the patch, or `None` if it did or if it passed.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// The reason why the version did not show the wanted outcome without the patch. `None` if it did, if it passed or was
    /// not tested, or if there was no carried patch.
    #[serde(default)]
    pub alone: Option<Reason>,
}

/// The purpose of a reduction.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A new patch for the walk, because the carried one no longer works.
    Walk,
    /// The patch in [`PorterReport::carried`].
    Carried,
    /// The patch in [`PorterReport::cause`].
    Cause,
    /// The patch in [`PorterReport::repair`].
    Repair,
    /// The patch in [`PorterReport::figure2`].
    Figure2,
    /// The patch in [`PorterReport::forward`].
    Forward,
}

/// The end of a reduction.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReductionResult {
    /// The reduction found a smallest patch.
    Reduced,
    /// The version passed with a part of the difference (Section 4.1). It is the good one, unless an older version passes with
    /// the smallest patch. If it passed with the lines of the carried patch, no smallest patch was searched for.
    Passed,
    /// The outcomes contradicted each other.
    Contradicted,
    /// The reduction is still running.
    Running,
}

/// A reduction of the difference between two trees.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PorterReduction {
    /// The purpose of the reduction.
    pub purpose: Purpose,
    /// The revision that the patch is for.
    pub revision: String,
    /// The position of the revision, as in [`PorterStep::place`].
    pub place: i64,
    /// Whether the reduction happened on the way forward.
    pub forward: bool,
    /// The reason why the carried patch no longer worked, for a reduction of the walk. `None` for other purposes.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// The number of changes at the start.
    pub before: usize,
    /// The number of changes left after one round over files, hunks, and lines. `None` unless a smallest patch was found.
    #[serde(default)]
    pub first: Option<usize>,
    /// The number of changes at the end. `None` unless a smallest patch was found.
    #[serde(default)]
    pub after: Option<usize>,
    /// How the reduction ended.
    pub result: ReductionResult,
    /// The number of outcomes that took a run.
    pub runs: u64,
    /// The number of outcomes without a run: conflicts, files that do not parse, and files that were tested before.
    pub free: u64,
    /// The number of unwanted outcomes by reason.
    #[cfg_attr(test, schemars(extend("propertyNames" = { "$ref": "#/$defs/PorterReason" })))]
    pub failed: BTreeMap<Reason, u64>,
}

/// The effect of the forwarded fix on a second test.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RegressionCheck {
    /// The observation without the fix.
    pub before: Observation,
    /// The observation with the fix.
    pub after: Observation,
    /// Whether the second test passed without the fix and failed with it.
    pub breaks: bool,
    /// The result in one sentence.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
}

/// The report of iterative delta debugging, final or so far.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PorterReport {
    /// The status of the search.
    pub status: Status,
    /// The result in a few sentences.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// A description of the failure that the search follows, or `None` before it was observed.
    pub failure: Option<String>,
    /// The newest revision on the walk that passes with its carried patch, or `None` if none was found.
    pub good: Option<String>,
    /// The revision after `good` on the walk, which fails as the start does with its own patch. `None` if none was found.
    pub bad: Option<String>,
    /// The revisions between `bad` and `good` that do not build without a patch, newest first. Any of them may be the
    /// culprit. Revisions between two that fail to build in the same way are included without a test.
    pub between: Vec<String>,
    /// The patch that the test needs to pass at `good`, or `None` if it needs none or was not searched for. The guarantee
    /// applies to the failure of `bad`, which needs the whole patch. If `good` does not pass with that patch, the guarantee
    /// applies to the pass of `good`.
    pub carried: Option<PortedPatch>,
    /// The smallest change found that brings the failure back at `good` with `carried`.
    pub cause: Option<PortedPatch>,
    /// The smallest change found that makes `bad` pass.
    pub repair: Option<PortedPatch>,
    /// The result of the paper's Figure 2: a smallest change from `good` to the failure, including the changes that the test
    /// needs. `None` without the option `figure2`.
    pub figure2: Option<PortedPatch>,
    /// The fix for the revision that it was brought forward to, if a run there passed.
    pub forward: Option<PortedPatch>,
    /// The effect of that fix on a second test, or `None` if none was run.
    #[serde(default)]
    pub also: Option<RegressionCheck>,
    /// The versions of the walk, in the order in which they were tested.
    pub steps: Vec<PorterStep>,
    /// The reductions, in the order in which they started.
    pub reductions: Vec<PorterReduction>,
    /// The number of revisions tested on the walk back and forward.
    pub visited: usize,
    /// The number of revisions skipped because they do not build without a patch.
    pub skipped: usize,
    /// Warnings about the result, in sentences.
    #[serde(with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// The number of outcomes that took a run.
    pub runs: u64,
    /// The number of runs after which `good` and `bad` were known. The other runs explain the commit. `None` if they are not
    /// known.
    #[serde(default)]
    pub runs_to_commit: Option<u64>,
    /// The number of probes that got an outcome, with or without a run.
    pub asked: u64,
    /// The number of outcomes that are conflicts: the patch does not apply.
    pub conflicts: u64,
    /// The total run time of all tests for which a time was reported, in seconds. `None` if there are no times.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// All observations, in the order in which they were reported.
    pub observations: Vec<TargetObservation>,
    /// Details of the commits in the result, by full id. Empty while the search runs, if the history is not from a
    /// repository, or if the repository cannot be read.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
}

impl PorterReport {
    /// Adds the observations of a second test, without and with the fix, at the revision that the fix was brought to
    /// (Section 4.2: the patch may affect other functionality).
    #[must_use]
    pub fn with_also(mut self, before: Observation, after: Observation) -> Self {
        let breaks = before.outcome == Outcome::Pass && after.outcome == Outcome::Fail;
        let with = match after.outcome {
            Outcome::Pass => "passes with the fix",
            Outcome::Fail => "fails with the fix",
            Outcome::Unresolved => "is unresolved with the fix",
        };
        let without = match before.outcome {
            Outcome::Pass => "passes without it",
            Outcome::Fail => "fails without it",
            Outcome::Unresolved => "is unresolved without it",
        };
        let message = format!("the other test {with}, and {without}");
        self.also = Some(RegressionCheck { before, after, breaks, message });
        self
    }
}

impl PorterReport {
    /// Returns the patches that were found, each with its name and a description.
    #[must_use]
    pub fn patches(&self) -> Vec<(&'static str, &'static str, &PortedPatch)> {
        let all = [
            ("carried", "the patch that the test needs at the passing version", &self.carried),
            ("cause", "the smallest change found that makes the passing version fail", &self.cause),
            ("repair", "the smallest change found that makes the failing version pass", &self.repair),
            (
                "figure2",
                "the changes from the passing version to the failure, with the patch that the test needs",
                &self.figure2,
            ),
            ("forward", "the fix at the revision to which it was ported", &self.forward),
        ];
        all.into_iter().filter_map(|(name, what, patch)| Some((name, what, patch.as_ref()?))).collect()
    }
}

impl StepOutcome {
    /// Returns the name as in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            StepOutcome::Kept => "kept",
            StepOutcome::Pass => "pass",
            StepOutcome::Other => "other",
            StepOutcome::Skipped => "skipped",
            StepOutcome::Reduced => "reduced",
        }
    }
}

impl PorterReduction {
    /// Returns the number of changes after one round over all levels and at the end. Returns `None` unless a smallest patch
    /// was found.
    #[must_use]
    pub fn fixpoint(&self) -> Option<(usize, usize)> {
        let after = self.after?;
        Some((self.first.unwrap_or(after), after))
    }
}

impl Purpose {
    /// Returns the name as in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::Walk => "walk",
            Purpose::Carried => "carried",
            Purpose::Cause => "cause",
            Purpose::Repair => "repair",
            Purpose::Figure2 => "figure2",
            Purpose::Forward => "forward",
        }
    }
}

impl ReductionResult {
    /// Returns the name as in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ReductionResult::Reduced => "reduced",
            ReductionResult::Passed => "passed",
            ReductionResult::Contradicted => "contradicted",
            ReductionResult::Running => "running",
        }
    }
}
