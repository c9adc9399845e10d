//! What each kind of search has found.

use firstbad::culprit::{
    Check, Conclusion, CulpritReport, Hypothesis, Reason, Tally, VerificationReason, VerificationReport,
};
use firstbad::reduction::Guarantee;
use firstbad::regression::{Find, LeafReport, RegressionPoint};
use firstbad::{IsolateReport, MinimizeReport, World};
use serde::Serialize;
use serde_json::Value;

use super::cause::Cause;

/// A regression point, and what is known about it beyond the search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Point {
    /// regression, or fix.
    pub(crate) find: Find,
    /// The revision that broke it, or repaired it; nothing where there are candidates.
    pub(crate) culprit: Option<String>,
    /// The revision that was seen to pass; nothing where no ancestor was.
    pub(crate) good: Option<String>,
    /// The revision that was seen to fail.
    pub(crate) bad: String,
    /// The newer ends that this point answers for.
    pub(crate) leaves: Vec<String>,
    /// Parallel to `leaves`: how many edges a shortest path from the newer revision to the leaf has.
    pub(crate) distances: Vec<u32>,
    /// Whether every parent of the newer revision was seen to be otherwise.
    pub(crate) clean: bool,
    /// All suspects left, oldest first, where revisions that were not tested stand between.
    pub(crate) candidates: Vec<String>,
    /// Parents of the newer revision that could not be tested.
    pub(crate) unresolved_parents: Vec<String>,
    /// With a flaky test: how likely the point is right for all of its leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) probability: Option<f64>,
    /// Whether this may still change: its leaves are not answered yet.
    pub(crate) provisional: bool,
    /// A name by which this finding is known again in every run; nothing while it is provisional.
    pub(crate) fingerprint: Option<String>,
    /// How the journal of the search for its cause is called, after that of the search.
    #[serde(skip)]
    pub(crate) journal_suffix: String,
    /// The part of its patch that does the harm, where that was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cause: Option<Cause>,
    /// Why there is no cause, where it was looked for in vain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_cause: Option<String>,
}

impl Point {
    fn of(point: RegressionPoint, leaves: &[LeafReport]) -> Point {
        let provisional = point.is_open(leaves);
        let journal_suffix = point.journal_suffix();
        let culprit = point.candidates.is_empty().then(|| point.newer().to_owned());
        let fingerprint = (!provisional).then(|| point.fingerprint());
        let RegressionPoint { find, good, bad, leaves, distances, clean, candidates, unresolved_parents, probability } =
            point;
        Point {
            find,
            culprit,
            good,
            bad,
            leaves,
            distances,
            clean,
            candidates,
            unresolved_parents,
            probability,
            provisional,
            fingerprint,
            journal_suffix,
            cause: None,
            no_cause: None,
        }
    }

    /// The revision that was newly otherwise.
    pub(crate) fn newer(&self) -> &str {
        match (self.find, &self.good) {
            (Find::Fix, Some(good)) => good,
            _ => &self.bad,
        }
    }

    /// The revision before it.
    pub(crate) fn older(&self) -> Option<&str> {
        match self.find {
            Find::Regression => self.good.as_deref(),
            Find::Fix => Some(&self.bad),
        }
    }
}

/// Takes the leaves out of a report.
pub(super) fn leaves(report: &mut Value) -> Vec<LeafReport> {
    taken(report, "leaves").unwrap_or_default()
}

/// Takes the points out of a report.
pub(super) fn points(report: &mut Value, leaves: &[LeafReport]) -> Vec<Point> {
    let found: Vec<RegressionPoint> = taken(report, "points").unwrap_or_default();
    found.into_iter().map(|point| Point::of(point, leaves)).collect()
}

fn taken<T: serde::de::DeserializeOwned>(report: &mut Value, name: &str) -> Option<T> {
    serde_json::from_value(report.get_mut(name)?.take()).ok()
}

/// Who is to blame for a flaky failure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Blame {
    /// culprit, flake or inconclusive.
    pub(crate) conclusion: Conclusion,
    /// Why that, or why not more.
    pub(crate) reason: Reason,
    /// The culprit; nothing unless the conclusion is that there is one.
    pub(crate) culprit: Option<String>,
    /// How likely the conclusion is.
    pub(crate) probability: f64,
    /// How likely nobody is to blame.
    pub(crate) no_culprit: f64,
    /// The likeliest hypotheses, the likeliest first; a revision that is nothing means that nobody is to blame.
    pub(crate) suspects: Vec<Hypothesis>,
    /// How many executions of the test the answers stand for.
    pub(crate) runs: u64,
    /// How often the test fails at a healthy revision.
    pub(crate) flake_rate: f64,
    /// How often it passes at a broken one.
    pub(crate) false_pass_rate: f64,
    /// Runs at revisions that are healthy by the likeliest hypothesis.
    pub(crate) seen_at_healthy: Tally,
    /// A name by which this finding is known again in every run.
    pub(crate) fingerprint: Option<String>,
}

impl Blame {
    pub(super) fn of(report: Value) -> Option<Blame> {
        let report: CulpritReport = serde_json::from_value(report).ok()?;
        Some(Blame {
            fingerprint: report.fingerprint(),
            conclusion: report.conclusion,
            reason: report.reason,
            culprit: report.culprit,
            probability: report.probability,
            no_culprit: report.no_culprit,
            suspects: report.credible_set,
            runs: report.runs,
            flake_rate: report.flake_rate,
            false_pass_rate: report.false_pass_rate,
            seen_at_healthy: report.seen_at_healthy,
        })
    }
}

/// Whether a conclusion stands up to reruns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Verified {
    /// The verdict; nothing as long as there is none.
    pub(crate) correct: Option<bool>,
    /// The conclusion: the culprit, or nothing for a flake.
    pub(crate) culprit: Option<String>,
    /// Why it is not correct, or why nothing can be said.
    pub(crate) reasons: Vec<VerificationReason>,
    /// What each check saw.
    pub(crate) checks: Vec<Check>,
    /// How many runs each check takes at most.
    pub(crate) reruns: u32,
}

impl Verified {
    pub(super) fn of(report: Value) -> Option<Verified> {
        let report: VerificationReport = serde_json::from_value(report).ok()?;
        let VerificationReport { correct, culprit, reasons, checks, reruns, .. } = report;
        Some(Verified { correct, culprit, reasons, checks, reruns })
    }
}

/// What a reduction has left.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Reduced {
    /// How many items there were.
    pub(crate) items: usize,
    /// The items that are kept, as indices, ascending.
    pub(crate) kept: Vec<usize>,
    /// Of an isolation: what makes the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) difference: Option<Vec<usize>>,
    /// What is certain about it: "1-minimal", "fixpoint" or "best so far".
    pub(crate) guarantee: Guarantee,
    /// What is left, as text, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// Whether that is a patch.
    #[serde(skip)]
    pub(crate) is_patch: bool,
    /// How many bytes there were, and how many are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sizes: Option<[usize; 2]>,
}

impl Reduced {
    pub(super) fn of(report: Value, world: &World) -> Option<Reduced> {
        let items = match world {
            World::Items(items) => *items,
            World::History(_) => return None,
        };
        if report.get("difference").is_some() {
            let IsolateReport { kept, difference, guarantee, .. } = serde_json::from_value(report).ok()?;
            let difference = Some(difference);
            return Some(Reduced { items, kept, difference, guarantee, text: None, is_patch: false, sizes: None });
        }
        let MinimizeReport { kept, guarantee, .. } = serde_json::from_value(report).ok()?;
        Some(Reduced { items, kept, difference: None, guarantee, text: None, is_patch: false, sizes: None })
    }
}
