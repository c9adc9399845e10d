//! What a regression search answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::finding::commit::Commit;
use crate::finding::find::Find;
use crate::search::TargetObservation;
use crate::search::{Outcome, Status};
use crate::suspicion::WhyTried;

impl RegressionReport {
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
            "{culprit} has the same files as its parent {parent}, but {culprit} {} and {parent} {}. The test depends on something besides \
             the files, or it is flaky",
            verb(at_culprit),
            verb(at_parent)
        );
        if !are_of_files {
            self.warnings.push(words);
            return;
        }
        let point = &mut self.points[place];
        point.confirmed = false;
        point.exceptions.extend([parent.to_owned(), culprit.to_owned()]);
        point.culprit = None;
        self.status = Status::Contradictory;
        self.message = format!("no culprit named: {words}");
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

/// An edge (or a stretch of history) between a passing revision and a failing one (RPA, Definition 2).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegressionPoint {
    /// The revision that passes; `None` if no ancestor was seen to. With `find = "fix"` the newer one.
    pub good: Option<String>,
    /// The revision that fails. With `find = "fix"` the older one.
    pub bad: String,
    /// The revision that changed the outcome; `None` if there are candidates, if no ancestor had the other outcome, or if
    /// its own outcomes were inconsistent.
    #[serde(default)]
    pub culprit: Option<String>,
    /// The newer ends that this point answers for, in the order in which they were given.
    pub leaves: Vec<String>,
    /// Parallel to `leaves`: how many edges a shortest path from `bad` to the leaf has.
    pub distances: Vec<u32>,
    /// Whether the newer revision was seen to be as it is and every parent of it to be otherwise: then it is the culprit
    /// by itself. Never where there is no parent: a first commit has nothing that it could have broken.
    pub clean: bool,
    /// Whether the culprit and its parents were each run alone in a clean worktree, the parents after the culprit, with
    /// the same outcomes. Always false with `confirm = false`. Also false with `search = "bayes"`, because
    /// `probability` says how certain the point is.
    #[serde(default)]
    pub confirmed: bool,
    /// The untested endpoints that the point depends on (`verify_ends = false`). Includes the older side if it never
    /// had the given outcome in a run.
    #[serde(default)]
    pub trusted: Vec<String>,
    /// Outcomes that come and go: revisions that were seen, before the older side, to be like the newer one, or after the
    /// newer side, on the way to a leaf, to be like the older one; at most 10, oldest first.
    #[serde(default)]
    pub exceptions: Vec<String>,
    /// All suspects left, oldest first, if unresolved revisions stand between; empty if the edge itself was
    /// tested. With `beyond_paths` the newer revision is among them.
    pub candidates: Vec<String>,
    /// Whether the newer revision touches none of the paths that the history was simplified to: what is to blame may be a
    /// commit before it that was not looked at.
    #[serde(default)]
    pub beyond_paths: bool,
    /// The culprits of other points that make the same change (equal patch-ids), such as its cherry-picks. Together they are
    /// one finding.
    #[serde(default)]
    pub same_change: Vec<String>,
    /// Parents of the newer revision that could not be tested, in their own order.
    pub unresolved_parents: Vec<String>,
    /// With `search = "bayes"`: how likely the point is right for all of its leaves, in [0, 1].
    #[serde(default)]
    pub probability: Option<f64>,
    /// What the point is: a regression, or (with `find = "fix"`) the repair of one.
    #[serde(default)]
    pub find: Find,
    /// A name for this finding, 32 hexadecimal digits: the same in every run, language, and version. It depends only on
    /// `find` and on the id of the culprit, or on the ids of all candidates. With fewer candidates it is another finding.
    pub fingerprint: String,
}

impl RegressionPoint {
    /// The revision that was newly otherwise: that broke it, or that repaired it. It is to blame by itself if there
    /// are no candidates.
    #[must_use]
    pub fn newer(&self) -> &str {
        match (self.find, &self.good) {
            (Find::Fix, Some(good)) => good,
            _ => &self.bad,
        }
    }

    /// What is appended to the path of the search's journal for the path of the journal in which the point's cause is
    /// looked for: `.cause-`, the first 12 characters of the newer revision, and `.jsonl`.
    #[must_use]
    pub fn journal_suffix(&self) -> String {
        let newer: String = self.newer().chars().take(12).collect();
        format!(".cause-{newer}.jsonl")
    }

    /// Whether this may still change: the search for one of its leaves, among the report's, has not ended.
    #[must_use]
    pub fn is_open(&self, leaves: &[LeafReport]) -> bool {
        leaves.iter().any(|leaf| leaf.ending == Ending::Open && self.leaves.contains(&leaf.leaf))
    }

    /// The revision that changed the outcome, if a single one is known to have done so.
    pub(super) fn found_culprit(&self) -> Option<String> {
        let newer = self.newer();
        let is_consistent = !self.exceptions.iter().any(|revision| revision == newer);
        (self.candidates.is_empty() && self.older().is_some() && is_consistent).then(|| newer.to_owned())
    }

    /// The revision before it; `None` if no ancestor was seen to be otherwise. Then the point says where the failing begins as
    /// far as the history goes, and names nobody.
    #[must_use]
    pub fn older(&self) -> Option<&str> {
        match (self.find, &self.good) {
            (Find::Regression, good) => good.as_deref(),
            // With nothing older, the newer side stands on both.
            (Find::Fix, Some(good)) if *good == self.bad => None,
            (Find::Fix, _) => Some(&self.bad),
        }
    }

    /// Who may be to blame: the newer revision alone, or all candidates.
    #[must_use]
    pub fn suspects(&self) -> &[String] {
        match (self.find, &self.good) {
            _ if !self.candidates.is_empty() => &self.candidates,
            (Find::Fix, Some(good)) => std::slice::from_ref(good),
            _ => std::slice::from_ref(&self.bad),
        }
    }
}

/// How the answer for one newer end came about.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Not answered yet.
    Open,
    /// By a search of its own.
    Searched,
    /// A point found for another end answers for it too (RPA, Algorithm 2).
    Propagated,
    /// It does not fail, or with another failure, or (for a fix) nothing before it failed.
    NotReproduced,
    /// It fails, and nothing before it was seen to pass.
    NoPassingRevision,
    /// It could not be tested, and no older revision that could be was seen to fail.
    Untestable,
    /// A revision that the result depends on had two different outcomes. With `search = "bayes"`: no culprit explains
    /// the outcomes at the given flake rate, or the rates are unknown and so high that a run carries too little
    /// information.
    Contradictory,
}

/// What became of one newer end.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeafReport {
    /// The end.
    pub leaf: String,
    /// The older revision that was searched from, where the end itself could not be tested; else `None`.
    #[serde(default)]
    pub replaced_by: Option<String>,
    /// How its answer came about.
    pub ending: Ending,
    /// Its points, as indices into the report's points.
    pub points: Vec<usize>,
}

/// The answer of a regression search, final or the best so far.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegressionReport {
    /// Where the search stands.
    pub status: Status,
    /// The same in one sentence, for people.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// Which change was looked for.
    #[serde(default)]
    pub find: Find,
    /// The regression points, in the order found.
    pub points: Vec<RegressionPoint>,
    /// What became of each newer end, in the order given.
    pub leaves: Vec<LeafReport>,
    /// What is to be known before one believes the answer, or its cost, in sentences.
    #[serde(default, with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// How many answers came from the oracle.
    pub queries: u64,
    /// The number of runs that confirmed or contradicted the result.
    #[serde(default)]
    pub confirmations: u64,
    /// Everything that was seen, in the order told.
    pub observations: Vec<TargetObservation>,
    /// Why revisions were tried, for those that were asked or are to blame and of which the prior knows it
    /// (`prior = "changes"`).
    #[serde(default)]
    pub why: BTreeMap<String, WhyTried>,
    /// What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
    /// elsewhere, while the search runs, and where the repository could not say it.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
    /// The branches and tags of the newer ends, by their full ids, at most three of each; known where `commits` are.
    #[serde(default)]
    pub names: BTreeMap<String, Vec<String>>,
    /// The paths that the history was simplified to before it was searched: only commits that touch them were looked at, and the
    /// ends. Then no point is clean: what lies right before a commit here need not be its parent. Empty: all commits.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Whether only first parents were followed.
    #[serde(default)]
    pub first_parent: bool,
}
