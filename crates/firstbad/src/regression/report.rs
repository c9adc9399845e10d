//! The report of a regression search.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::finding::commit::Commit;
use crate::finding::find::Find;
use crate::search::TargetObservation;
use crate::search::{Outcome, Status};
use crate::suspicion::SelectionReason;

impl RegressionReport {
    /// Returns the bad revisions whose failures were probably flakes, because they also passed and no culprit explains them.
    /// Empty in a search for a fix.
    #[must_use]
    pub fn flakes(&self) -> Vec<&str> {
        flakes(self.find, &self.leaves, &self.observations)
    }

    /// Records that a culprit has the same files as one of its parents. If both were run in worktrees and the outcomes
    /// differ, the difference does not come from the code. The point then lists both revisions as exceptions, and the
    /// search ends without a culprit. A function can test something else than the files, so its report only gets a
    /// warning.
    pub fn contradict_equal_files(&mut self, culprit: &str, parent: &str) {
        let resolved = |revision: &str| {
            let mut seen = self.observations.iter().filter(|seen| seen.revision() == revision);
            seen.find(|seen| seen.observation.outcome != Outcome::Unresolved).map(|seen| &seen.observation)
        };
        let Some((at_culprit, at_parent)) = resolved(culprit).zip(resolved(parent)) else { return };
        let are_of_files = at_culprit.output.is_some() && at_parent.output.is_some();
        let (at_culprit, at_parent) = (at_culprit.outcome, at_parent.outcome);
        let is_it = |point: &RegressionPoint| point.newer() == culprit && point.candidates.is_empty();
        let Some(place) = self.points.iter().position(is_it).filter(|_| at_culprit != at_parent) else { return };
        let verb = |outcome: Outcome| if outcome == Outcome::Pass { "passes" } else { "fails" };
        let words = format!(
            "{culprit} has the same files as its parent {parent}, but {culprit} {} and {parent} {}. The test depends \
             on more than the files, or it is flaky",
            verb(at_culprit),
            verb(at_parent)
        );
        if !are_of_files {
            self.warnings.push(words);
            return;
        }
        let point = &mut self.points[place];
        point.confirmed = false;
        point.inconsistent.extend([parent.to_owned(), culprit.to_owned()]);
        point.culprit = None;
        self.status = Status::Contradictory;
        self.message = format!("no culprit found: {words}");
    }

    /// Records that these culprits make the same change.
    pub fn unite_same_changes(&mut self, culprits: &[String]) {
        for point in &mut self.points {
            let (mine, others): (Vec<&String>, Vec<&String>) =
                culprits.iter().partition(|culprit| *culprit == point.newer());
            if !mine.is_empty() {
                point.same_change = others.into_iter().cloned().collect();
            }
        }
    }
}

/// A pair of a passing and a failing revision between which the outcome changed (RPA, Definition 2).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegressionPoint {
    /// The passing revision, or `None` if no ancestor was observed to pass. With `find = "fix"`, the newer one.
    pub good: Option<String>,
    /// The failing revision. With `find = "fix"`, the older one.
    pub bad: String,
    /// The revision that changed the outcome. `None` if there are candidates, if no ancestor had the other outcome, or if the
    /// revision had inconsistent outcomes. Also `None` if `paths` left out commits right before it (`outside_paths`).
    #[serde(default)]
    pub culprit: Option<String>,
    /// The newer endpoints that this point explains, in the order in which they were given.
    pub leaves: Vec<String>,
    /// The number of edges on a shortest path from `bad` to each leaf, parallel to `leaves`.
    pub distances: Vec<u32>,
    /// Whether the newer revision and each of its parents were observed to have opposite outcomes, so that the newer revision
    /// alone is the culprit. Always false for a root.
    pub parents_pass: bool,
    /// Whether the culprit and its parents were each run alone in a clean worktree, the parents after the culprit, with the same
    /// outcomes. Always false with `confirm = false`. Also false with `search = "bayes"`, which reports a `probability` instead.
    #[serde(default)]
    pub confirmed: bool,
    /// The untested endpoints that the point depends on (`test_endpoints = false`). Includes the older side if it never
    /// had the given outcome in a run.
    #[serde(default)]
    pub untested_endpoints: Vec<String>,
    /// Revisions with inconsistent outcomes: the newer outcome before the older side, or the older outcome between the newer side
    /// and a leaf. At most 10, oldest first.
    #[serde(default)]
    pub inconsistent: Vec<String>,
    /// All remaining suspects, oldest first, if there are unresolved revisions between the two sides. Empty if the edge itself
    /// was tested. With `outside_paths`, this includes the newer revision.
    pub candidates: Vec<String>,
    /// Whether the newer revision touches none of the paths that the history was simplified to. The culprit can then be an
    /// earlier commit that was not considered.
    #[serde(default)]
    pub outside_paths: bool,
    /// The culprits of other points with the same change (equal patch-ids), such as cherry-picks. Together they are one finding.
    #[serde(default)]
    pub same_change: Vec<String>,
    /// The unresolved parents of the newer revision, in the order of its parents.
    pub unresolved_parents: Vec<String>,
    /// With `search = "bayes"`, the probability that the point is right for all its leaves, in [0, 1].
    #[serde(default)]
    pub probability: Option<f64>,
    /// Whether the point is a regression or, with `find = "fix"`, a fix.
    #[serde(default)]
    pub find: Find,
    /// An identifier of this finding, 32 hexadecimal digits. It is the same in every run, language, and version that finds
    /// the same culprit, or the same candidates.
    pub fingerprint: String,
}

/// Returns the endpoints of [`RegressionReport::flakes`].
pub(super) fn flakes<'l>(find: Find, leaves: &'l [LeafReport], observations: &[TargetObservation]) -> Vec<&'l str> {
    let is_flake = |leaf: &&LeafReport| {
        if find == Find::Fix || leaf.result != LeafResult::NotReproduced {
            return false;
        }
        let tested = leaf.replaced_by.as_ref().unwrap_or(&leaf.leaf);
        let seen = observations.iter().filter(|seen| seen.target.revision.as_ref() == Some(tested));
        let counts: Vec<(u32, u32)> = seen.map(|seen| seen.observation.counts()).collect();
        counts.iter().any(|(passes, _)| *passes > 0) && counts.iter().any(|(_, fails)| *fails > 0)
    };
    leaves.iter().filter(is_flake).map(|leaf| leaf.leaf.as_str()).collect()
}

impl RegressionPoint {
    /// Returns the newer revision, which broke or fixed the test. It is the culprit if there are no candidates.
    #[must_use]
    pub fn newer(&self) -> &str {
        match (self.find, &self.good) {
            (Find::Fix, Some(good)) => good,
            _ => &self.bad,
        }
    }

    /// Returns the suffix of the journal in which the point is explained, to append to the path of the search's journal:
    /// `.cause-`, the first 12 characters of the newer revision, and `.jsonl`.
    #[must_use]
    pub fn journal_suffix(&self) -> String {
        let newer: String = self.newer().chars().take(12).collect();
        format!(".cause-{newer}.jsonl")
    }

    /// Returns whether the point can still change, because the search for one of its leaves has not finished. `leaves` are those
    /// of the report.
    #[must_use]
    pub fn is_open(&self, leaves: &[LeafReport]) -> bool {
        leaves.iter().any(|leaf| leaf.result == LeafResult::Open && self.leaves.contains(&leaf.leaf))
    }

    /// The revision that changed the outcome, if it is a single one.
    pub(super) fn found_culprit(&self) -> Option<String> {
        let newer = self.newer();
        let is_consistent = !self.inconsistent.iter().any(|revision| revision == newer);
        (self.candidates.is_empty() && self.older().is_some() && is_consistent).then(|| newer.to_owned())
    }

    /// Returns the older revision, or `None` if no ancestor was observed to have the other outcome. The point is then the start
    /// of the known failures and has no culprit.
    #[must_use]
    pub fn older(&self) -> Option<&str> {
        match (self.find, &self.good) {
            (Find::Regression, good) => good.as_deref(),
            // Without an older revision, both sides hold the newer one.
            (Find::Fix, Some(good)) if *good == self.bad => None,
            (Find::Fix, _) => Some(&self.bad),
        }
    }

    /// Returns all candidates, or the newer revision if there are none.
    #[must_use]
    pub fn suspects(&self) -> &[String] {
        match (self.find, &self.good) {
            _ if !self.candidates.is_empty() => &self.candidates,
            (Find::Fix, Some(good)) => std::slice::from_ref(good),
            _ => std::slice::from_ref(&self.bad),
        }
    }
}

/// How the search for a newer endpoint ended.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeafResult {
    /// The search has not finished.
    Open,
    /// A search for this endpoint found its points.
    Searched,
    /// A point found for another endpoint also explains this one (RPA, Algorithm 2).
    Propagated,
    /// The endpoint does not fail or fails in another way. For a fix, no earlier revision failed.
    NotReproduced,
    /// The endpoint fails, and no ancestor was observed to pass.
    NoPassingRevision,
    /// The endpoint is unresolved, and no older revision was observed to fail.
    Untestable,
    /// A revision that the result depends on had two different outcomes. With `search = "bayes"`, no culprit explains the
    /// outcomes at the given flake rate, or the rates are unknown and so high that a run carries too little information.
    Contradictory,
}

/// The result for one newer endpoint.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeafReport {
    /// The endpoint.
    pub leaf: String,
    /// The older revision that replaced the endpoint, if the endpoint is unresolved.
    #[serde(default)]
    pub replaced_by: Option<String>,
    /// How the search ended.
    pub result: LeafResult,
    /// The points of the endpoint, as indices into the points of the report.
    pub points: Vec<usize>,
}

/// The result of a regression search, final or the best so far.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegressionReport {
    /// The status of the search.
    pub status: Status,
    /// The result in one sentence.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The change that was searched for.
    #[serde(default)]
    pub find: Find,
    /// The regression points, in the order in which they were found.
    pub points: Vec<RegressionPoint>,
    /// The result for each newer endpoint, in the given order.
    pub leaves: Vec<LeafReport>,
    /// Warnings about the result or its cost, in sentences.
    #[serde(default, with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// The number of outcomes from the oracle, including outcomes that cost no run.
    pub asked: u64,
    /// The number of outcomes that cost a run.
    pub runs: u64,
    /// The number of runs that confirmed or contradicted the result.
    #[serde(default)]
    pub confirmations: u64,
    /// All observations, in the order in which they were reported.
    pub observations: Vec<TargetObservation>,
    /// Why revisions were tried, with `prior = "changes"`. Covers the culprits and the tested revisions for which the prior has
    /// reasons.
    #[serde(default)]
    pub why: BTreeMap<String, SelectionReason>,
    /// Details of the commits in the result, by full id. Empty if the history is not from a repository, while the search runs,
    /// and if the repository could not be read.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
    /// The branches and tags of the endpoints, by full id, at most three of each. Empty if `commits` is empty.
    #[serde(default)]
    pub names: BTreeMap<String, Vec<String>>,
    /// The paths to which the history was simplified. If not empty, only the endpoints and commits that touch these paths were
    /// considered, and `parents_pass` of every point is false, because a commit's parent in this history need not be its real parent.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Whether the search followed first parents only.
    #[serde(default)]
    pub first_parent: bool,
}
