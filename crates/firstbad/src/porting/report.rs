//! What iterative delta debugging answers.

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
    /// What it is a patch of: a revision, or a revision with a part of an earlier [read](crate::Read) on it.
    pub on: Target,
    /// How many changes it has.
    pub changes: usize,
    /// How many changes it was reduced from.
    pub of: usize,
    /// What is certain about its size.
    pub guarantee: Guarantee,
    /// The patch itself; `None` if it is not valid UTF-8.
    pub text: Option<String>,
    /// The patch itself if it is not valid UTF-8.
    #[serde(default)]
    pub bytes: Option<Content>,
}

impl PortedPatch {
    /// The patch as `git apply` takes it.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        match (&self.text, &self.bytes) {
            (Some(text), _) => text.as_bytes(),
            (None, Some(bytes)) => bytes.bytes(),
            (None, None) => b"",
        }
    }
}

/// What a version showed.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// The outcome that is followed: going back the failure of the start, going forward a pass.
    Kept,
    /// It passes, going back.
    Pass,
    /// Another outcome.
    Other,
    /// It does not build by itself, and was left out.
    Skipped,
    /// Another outcome, and a smaller or other patch was made with which the outcome is kept.
    Reduced,
}

/// One version on the way.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PorterStep {
    /// The revision.
    pub revision: String,
    /// Whether it lies on the way forward.
    pub forward: bool,
    /// What it showed.
    pub outcome: StepOutcome,
    /// The same in words: outcome, failure and stage, with the patch carried there.
    pub seen: String,
    /// How the patch was carried there: what the oracle's `signals` say under `"carried"`; `None` if they do not.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("kind" = "CarriedBy")))]
    pub carried: Option<String>,
    /// Where it lies: 0 at the start, 1 at the revision before it on the way, -1 at the one after it.
    pub place: i64,
    /// How many changes the patch has that was carried there.
    pub patch: usize,
    /// Why it did not show the outcome that is followed with the patch; `None` if it did, or passed.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// Why it did not without the patch; `None` if it did, passed, or was not tested, or if no patch was carried.
    #[serde(default)]
    pub alone: Option<Reason>,
}

/// What a patch was reduced for.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To go on with it, because the patch carried so far does not do.
    Walk,
    /// [`PorterReport::carried`].
    Carried,
    /// [`PorterReport::cause`].
    Cause,
    /// [`PorterReport::repair`].
    Repair,
    /// [`PorterReport::figure2`].
    Figure2,
    /// [`PorterReport::forward`].
    Forward,
}

/// How a reduction ended.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReductionEnding {
    /// A smallest patch was found.
    Reduced,
    /// The same, and a part of the whole was seen to pass (Section 4.1): that version is the answer, unless an older one
    /// passes with the smallest patch.
    Passed,
    /// The answers did not go together.
    Contradicted,
    /// It goes on.
    Running,
}

/// A reduction: what lies between two trees, taken apart.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PorterReduction {
    /// What it was for.
    pub purpose: Purpose,
    /// The revision that the patch is for.
    pub revision: String,
    /// Where that lies: as [`PorterStep::place`].
    pub place: i64,
    /// Whether it was made on the way forward.
    pub forward: bool,
    /// On the walk: why the patch carried so far does not do there; `None` for other purposes.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// How many changes it began with.
    pub before: usize,
    /// How many were left when files, hunks and lines had been gone through once; `None` unless it ended as reduced.
    #[serde(default)]
    pub first: Option<usize>,
    /// How many were left where nothing more could be taken away; `None` unless it ended as reduced.
    #[serde(default)]
    pub after: Option<usize>,
    /// How it ended.
    pub ending: ReductionEnding,
    /// How many answers cost a run.
    pub runs: u64,
    /// How many answers cost none: conflicts, files that do not parse, files that were tested before.
    pub free: u64,
    /// How many of these answers were another outcome, by why.
    #[cfg_attr(test, schemars(extend("propertyNames" = { "$ref": "#/$defs/PorterReason" })))]
    pub failed: BTreeMap<Reason, u64>,
}

/// What a second test says of the fix that was brought forward.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Also {
    /// What it said without the fix.
    pub before: Observation,
    /// What it said with the fix.
    pub after: Observation,
    /// Whether it passed without the fix and failed with it.
    pub breaks: bool,
    /// The same in one sentence, for people.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
}

/// The answer of iterative delta debugging, final or so far.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PorterReport {
    /// Where the search stands.
    pub status: Status,
    /// The same in some sentences, for people.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The failure that is followed, in words; `None` before it was seen.
    pub failure: Option<String>,
    /// The newest revision on the walk that passes with the patch carried there; `None` if none was found.
    pub good: Option<String>,
    /// The revision after it on the walk, which fails as the start does with its own patch; `None` if none was found.
    pub bad: Option<String>,
    /// Revisions between them that do not build by themselves, newest first: any of them may be the one that broke it.
    pub between: Vec<String>,
    /// What the test needs: `good` passes with it. Its guarantee is about the failure of `bad`, which needs all of it; where
    /// `good` does not pass with what that failure needs, about the pass. `None` if it is nothing, or was not found out.
    pub carried: Option<PortedPatch>,
    /// The smallest change found that brings the failure back on `good` with `carried`.
    pub cause: Option<PortedPatch>,
    /// The smallest change found with which the bad side passes.
    pub repair: Option<PortedPatch>,
    /// The result of the paper's Figure 2: a smallest change from `good` to the failure, including the changes that the test
    /// needs. `None` without the option `figure2`.
    pub figure2: Option<PortedPatch>,
    /// The fix for the revision that it was brought forward to, where a run showed that it passes.
    pub forward: Option<PortedPatch>,
    /// What a second test says of that fix; `None` if none was run.
    #[serde(default)]
    pub also: Option<Also>,
    /// What was looked at on the way, in that order.
    pub steps: Vec<PorterStep>,
    /// The reductions, in the order in which they were begun.
    pub reductions: Vec<PorterReduction>,
    /// How many revisions were tested on the walk back and forward.
    pub visited: usize,
    /// How many revisions were left out because they do not build by themselves.
    pub skipped: usize,
    /// Warnings about the result, in sentences.
    #[serde(with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// How many answers cost a run.
    pub queries: u64,
    /// How many answers came to probes.
    pub asked: u64,
    /// How many of all answers were that a patch does not apply.
    pub conflicts: u64,
    /// How long the tests took together, in seconds, as far as that was told; `None` if it never was.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Everything that was seen, in the order told.
    pub observations: Vec<TargetObservation>,
    /// What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
    /// elsewhere, while the search runs, and where the repository could not say it.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
}

impl PorterReport {
    /// The report with what a second test said of the revision that the fix was brought to (Section 4.2: the patch may affect
    /// other functionality), without the fix and with it.
    #[must_use]
    pub fn with_also(mut self, before: Observation, after: Observation) -> Self {
        let breaks = before.outcome == Outcome::Pass && after.outcome == Outcome::Fail;
        let with = match after.outcome {
            Outcome::Pass => "passes with the fix",
            Outcome::Fail => "fails with the fix",
            Outcome::Unresolved => "could not be run with the fix",
        };
        let without = match before.outcome {
            Outcome::Pass => "passed without it",
            Outcome::Fail => "failed without it",
            Outcome::Unresolved => "could not be run without it",
        };
        let message = format!("the other test {with}, and {without}");
        self.also = Some(Also { before, after, breaks, message });
        self
    }
}

impl PorterReport {
    /// The patches that were found, each with its name and what it is.
    #[must_use]
    pub fn patches(&self) -> Vec<(&'static str, &'static str, &PortedPatch)> {
        let all = [
            ("carried", "what the test needs on the version that passes", &self.carried),
            ("cause", "the smallest change found that brings the failure back there", &self.cause),
            ("repair", "the smallest change found with which the failing version passes", &self.repair),
            ("figure2", "from the version that passes to the failure, what the test needs included", &self.figure2),
            ("forward", "the fix where it was brought to", &self.forward),
        ];
        all.into_iter().filter_map(|(name, what, patch)| Some((name, what, patch.as_ref()?))).collect()
    }
}

impl StepOutcome {
    /// As in the public contract.
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
    /// How many changes were left after one round over all levels, and how many in the end; `None` unless it ended with a smallest
    /// patch.
    #[must_use]
    pub fn fixpoint(&self) -> Option<(usize, usize)> {
        let after = self.after?;
        Some((self.first.unwrap_or(after), after))
    }
}

impl Purpose {
    /// As in the public contract.
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

impl ReductionEnding {
    /// As in the public contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ReductionEnding::Reduced => "reduced",
            ReductionEnding::Passed => "passed",
            ReductionEnding::Contradicted => "contradicted",
            ReductionEnding::Running => "running",
        }
    }
}
