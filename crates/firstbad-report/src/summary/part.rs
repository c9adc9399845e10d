//! What each kind of search has found.

use std::collections::BTreeMap;

use firstbad::culprit::{
    Check, Conclusion, CulpritReport, Hypothesis, MissingRun, Reason, Tally, VerificationReason, VerificationReport,
};
use firstbad::reduction::Guarantee;
use firstbad::regression::LeafReport;
use firstbad::suspicion::WhyTried;
use firstbad::{Find, IsolateReport, MinimizeReport, RegressionPoint, TargetObservation};
use serde::Serialize;

use super::cause::Cause;

/// A regression point, and what is known about it beyond the search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// regression, or fix.
    pub find: Find,
    /// The revision that broke it, or repaired it; `None` if there are candidates, or if nothing before it was seen to be
    /// otherwise.
    pub culprit: Option<String>,
    /// The revision that was seen to pass; `None` if no ancestor was.
    pub good: Option<String>,
    /// The revision that was seen to fail.
    pub bad: String,
    /// The newer ends that this point answers for.
    pub leaves: Vec<String>,
    /// Parallel to `leaves`: how many edges a shortest path from the newer revision to the leaf has.
    pub distances: Vec<u32>,
    /// Whether every parent of the newer revision was seen to be otherwise.
    pub clean: bool,
    /// Whether the culprit and its parents were each run alone in a clean worktree, with the same outcomes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub confirmed: bool,
    /// All suspects left, oldest first, where revisions that were not tested stand between.
    pub candidates: Vec<String>,
    /// Whether the newer revision touches none of the paths that the history was simplified to: commits between that were not
    /// looked at may be to blame.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub beyond_paths: bool,
    /// The culprits of other points that make the same change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub same_change: Vec<String>,
    /// Parents of the newer revision that could not be tested.
    pub unresolved_parents: Vec<String>,
    /// Given ends that it rests on and that nobody tested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trusted: Vec<String>,
    /// Revisions that show that outcomes come and go.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<String>,
    /// With a flaky test: how likely the point is right for all of its leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Whether this may still change: its leaves are not answered yet.
    pub provisional: bool,
    /// A name by which this finding is known again in every run; `None` while it is provisional.
    pub fingerprint: Option<String>,
    /// What spoke for the revision that was newly otherwise before anything was run, where the prior of the search knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<WhyTried>,
    /// How the journal of the search for its cause is called, after that of the search.
    #[serde(skip)]
    pub journal_suffix: String,
    /// The part of its patch that does the harm, where that was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Why there is no cause, where it was looked for in vain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_cause: Option<String>,
}

impl Point {
    pub(crate) fn of(point: RegressionPoint, leaves: &[LeafReport], why: &BTreeMap<String, WhyTried>) -> Point {
        let why = why.get(point.newer()).cloned();
        let provisional = point.is_open(leaves);
        let journal_suffix = point.journal_suffix();
        let is_consistent = !point.exceptions.iter().any(|revision| revision == point.newer());
        let is_named = point.candidates.is_empty() && point.older().is_some() && is_consistent;
        let culprit = is_named.then(|| point.newer().to_owned());
        let RegressionPoint {
            find,
            good,
            bad,
            leaves,
            distances,
            clean,
            confirmed,
            candidates,
            beyond_paths,
            unresolved_parents,
            same_change,
            trusted,
            exceptions,
            probability,
            fingerprint,
        } = point;
        Point {
            find,
            culprit,
            good,
            bad,
            leaves,
            distances,
            clean,
            confirmed,
            candidates,
            beyond_paths,
            unresolved_parents,
            same_change,
            trusted,
            exceptions,
            probability,
            provisional,
            fingerprint: (!provisional).then_some(fingerprint),
            journal_suffix,
            why,
            cause: None,
            no_cause: None,
        }
    }

    /// The revision that was newly otherwise.
    pub fn newer(&self) -> &str {
        match (self.find, &self.good) {
            (Find::Fix, Some(good)) => good,
            _ => &self.bad,
        }
    }

    /// What the test does from there on.
    pub(crate) fn state(&self) -> &'static str {
        match self.find {
            Find::Regression => "fails",
            Find::Fix => "passes",
        }
    }

    /// What it does before that.
    pub(crate) fn state_before(&self) -> &'static str {
        match self.find {
            Find::Regression => "passes",
            Find::Fix => "fails",
        }
    }

    /// Whether, with a flaky test, it may have been somebody else.
    pub(crate) fn is_perhaps(&self) -> bool {
        self.probability.is_some() && (self.provisional || !self.candidates.is_empty())
    }

    /// The revision before it; `None` if no ancestor was seen to be otherwise: then nobody is named.
    pub fn older(&self) -> Option<&str> {
        match (self.find, &self.good) {
            (Find::Regression, good) => good.as_deref(),
            (Find::Fix, Some(good)) if *good == self.bad => None,
            (Find::Fix, _) => Some(&self.bad),
        }
    }
}

/// Who is to blame for a flaky failure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Blame {
    /// culprit, flake or inconclusive.
    pub conclusion: Conclusion,
    /// Why that, or why not more.
    pub reason: Reason,
    /// The culprit; `None` if the conclusion is not that there is one.
    pub culprit: Option<String>,
    /// What spoke for the culprit before anything was run, where the prior of the search knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<WhyTried>,
    /// How likely the conclusion is.
    pub probability: f64,
    /// How likely nobody is to blame.
    pub no_culprit: f64,
    /// The likeliest hypotheses, the likeliest first; a revision that is `None` means that nobody is to blame.
    pub suspects: Vec<Hypothesis>,
    /// What was not seen, and nobody is named without, where one suspect has reached the confidence.
    pub missing: Vec<MissingRun>,
    /// How many executions of the test the answers stand for.
    pub runs: u64,
    /// How often the test fails at a healthy revision.
    pub flake_rate: f64,
    /// How often it passes at a broken one.
    pub false_pass_rate: f64,
    /// Whether the rates told fit what was seen.
    pub rates_fit: bool,
    /// Whether a short verification has confirmed the conclusion.
    pub verified: bool,
    /// How many failures came in a row at healthy revisions, if chance does not explain it.
    pub burst: Option<u32>,
    /// Runs at revisions that are healthy by the likeliest hypothesis.
    pub seen_at_healthy: Tally,
    /// A name by which this finding is known again in every run.
    pub fingerprint: Option<String>,
}

impl Blame {
    pub(crate) fn of(report: CulpritReport) -> Blame {
        Blame {
            fingerprint: report.fingerprint,
            why: report.culprit.as_ref().and_then(|culprit| report.why.get(culprit)).cloned(),
            conclusion: report.conclusion,
            reason: report.reason,
            culprit: report.culprit,
            probability: report.probability,
            no_culprit: report.no_culprit,
            suspects: report.credible_set,
            missing: report.missing,
            runs: report.runs,
            flake_rate: report.flake_rate,
            false_pass_rate: report.false_pass_rate,
            rates_fit: report.rates_fit,
            verified: report.verified,
            burst: report.burst,
            seen_at_healthy: report.seen_at_healthy,
        }
    }
}

/// Whether a conclusion stands up to reruns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verified {
    /// The verdict; `None` as long as there is none.
    pub correct: Option<bool>,
    /// The conclusion: the culprit; `None` if it is that the failure was a flake.
    pub culprit: Option<String>,
    /// Why it is not correct, or why nothing can be said.
    pub reasons: Vec<VerificationReason>,
    /// What each check saw.
    pub checks: Vec<Check>,
    /// How many runs each check takes at most.
    pub reruns: u32,
}

impl Verified {
    pub(crate) fn of(report: VerificationReport) -> Verified {
        let VerificationReport { correct, culprit, reasons, checks, reruns, .. } = report;
        Verified { correct, culprit, reasons, checks, reruns }
    }
}

/// What a reduction has left.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reduced {
    /// How many items there were.
    pub items: usize,
    /// The items that are kept, as indices, ascending.
    pub kept: Vec<usize>,
    /// Of an isolation: what makes the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Vec<usize>>,
    /// What is certain about it: "1-minimal", "fixpoint" or "best so far".
    pub guarantee: Guarantee,
    /// What is left, as text, where it is one, and not of several files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is left of each of several files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ReducedFile>,
    /// Whether that is a patch.
    #[serde(skip)]
    pub is_patch: bool,
    /// How many bytes there were, and how many are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<[usize; 2]>,
    /// How many lines there were, and how many are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<[usize; 2]>,
}

/// What is left of one of several files.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReducedFile {
    /// What it is called in the folder that they are in.
    pub name: String,
    /// What is left of it, where that is to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How many bytes it had, and how many are left.
    pub sizes: [usize; 2],
    /// How many lines it had, and how many are left.
    pub lines: [usize; 2],
}

impl Reduced {
    /// What [`Minimize`](firstbad::reduction::Minimize) has left of so many items; of a patch as `patch`.
    pub(crate) fn minimized(report: MinimizeReport, items: Option<usize>, patch: Option<String>) -> Reduced {
        let items = items.unwrap_or_else(|| largest(&report.observations));
        Reduced::of(items, report.kept, None, report.guarantee, patch)
    }

    /// What [`Isolate`](firstbad::reduction::Isolate) has left of so many items; of a patch as `patch`.
    pub(crate) fn isolated(report: IsolateReport, items: Option<usize>, patch: Option<String>) -> Reduced {
        let items = items.unwrap_or_else(|| largest(&report.observations));
        Reduced::of(items, report.kept, Some(report.difference), report.guarantee, patch)
    }

    fn of(
        items: usize,
        kept: Vec<usize>,
        difference: Option<Vec<usize>>,
        guarantee: Guarantee,
        patch: Option<String>,
    ) -> Reduced {
        let (is_patch, text) = (patch.is_some(), patch);
        Reduced { items, kept, difference, guarantee, is_patch, text, files: Vec::new(), sizes: None, lines: None }
    }
}

/// How many items the largest set has that was asked: the whole one is asked first.
fn largest(observations: &[TargetObservation]) -> usize {
    let changes = observations.iter().filter_map(|seen| seen.target.changes.as_ref());
    changes.filter_map(|changes| changes.iter().last()).max().map_or(0, |last| last + 1)
}
