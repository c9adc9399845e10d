//! The report of a triage.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::belief::RunCounts;
use crate::finding::commit::Commit;
use crate::search::{Status, TargetObservation};

/// What happened to a test.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// One commit broke the test. A failure was seen there, and a pass at every parent.
    Broken,
    /// One of several commits broke the test. No testable revision separates them.
    BrokenIn,
    /// The test fails by chance. A pass was seen where it had failed.
    Flaky,
    /// The test fails at the good revision on this machine, although the last green run has a pass.
    Environment,
    /// The test failed in the last green run, or fails at the good revision as well. It is not new.
    FailedBefore,
    /// The test is in the quarantine. It was not searched.
    Quarantined,
    /// The test does not exist at the good revision. The culprit is the commit at which it fails first.
    New,
    /// The test has a result only in the last green run.
    Removed,
    /// The test failed in the last green run and passes now.
    Fixed,
    /// The test had no result at the bad revision, or only failures of the machine.
    Infra,
    /// The test was broken and repaired before. The culprit is the newest break.
    Intermittent,
    /// There is no verdict, or none yet.
    Undecided,
}

impl Verdict {
    /// Returns the verdict in `snake_case`. This name is stable.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Broken => "broken",
            Verdict::BrokenIn => "broken_in",
            Verdict::Flaky => "flaky",
            Verdict::Environment => "environment",
            Verdict::FailedBefore => "failed_before",
            Verdict::Quarantined => "quarantined",
            Verdict::New => "new",
            Verdict::Removed => "removed",
            Verdict::Fixed => "fixed",
            Verdict::Infra => "infra",
            Verdict::Intermittent => "intermittent",
            Verdict::Undecided => "undecided",
        }
    }
}

/// The results of a test at a revision.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevisionRuns {
    /// The revision.
    pub revision: String,
    /// The number of passes.
    pub passes: u32,
    /// The number of failures.
    pub fails: u32,
    /// The number of runs without a result.
    pub unresolved: u32,
}

/// The verdict about a test.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestVerdict {
    /// The id of the test, or `(build)` if the bad revision cannot be built.
    pub id: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The commit that broke the test. `None` unless the verdict names one.
    pub culprit: Option<String>,
    /// The commits that may have broken the test, oldest first. Empty unless the verdict is `broken_in` or `undecided`.
    pub candidates: Vec<String>,
    /// The probability of the verdict, in [0, 1]. `None` if the test was not searched.
    pub probability: Option<f64>,
    /// The number of runs of the test in this search.
    pub runs: u64,
    /// The results of the test in this search, by revision, oldest first.
    pub observations: Vec<RevisionRuns>,
    /// The signature of the test's failure, or `None` if it is unknown.
    pub signature: Option<String>,
    /// The test of the same signature that was searched first. `None` for this test and for tests without a signature.
    pub leader: Option<String>,
    /// A detail of the verdict as a sentence, or `None`.
    pub note: Option<String>,
}

/// The runs behind a culprit, summed over its tests.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CulpritEvidence {
    /// The number of its tests that failed at the commit.
    pub failing: usize,
    /// The number of its tests that passed at every parent.
    pub passing: usize,
    /// The runs at the commit.
    pub at_commit: RunCounts,
    /// The runs at the parents.
    pub at_parents: RunCounts,
}

/// The people who should know about a culprit. The core leaves them empty. A caller that reads the repository fills them.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct People {
    /// The author of the commit.
    pub author: Option<String>,
    /// The co-authors of the commit.
    pub co_authors: Vec<String>,
    /// The pull request of the commit, as a URL or a number.
    pub pull_request: Option<String>,
    /// The owners of the changed files.
    pub owners: Vec<String>,
}

/// A commit that broke tests.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriageCulprit {
    /// The full id of the commit.
    pub commit: String,
    /// The full ids of its parents.
    pub parents: Vec<String>,
    /// The ids of the tests that the commit broke, in the order of the configuration.
    pub tests: Vec<String>,
    /// The probability that the commit is the culprit: the least of its tests.
    pub probability: f64,
    /// Whether each of its tests was seen to pass at every parent. False if a new test does not exist at a parent.
    pub parents_pass: bool,
    /// The runs at the commit and at its parents.
    pub evidence: CulpritEvidence,
    /// The most frequent signature of its tests, or `None` if no signature is known.
    pub signature: Option<String>,
    /// An identifier of this finding, 32 hexadecimal digits. It is the same in every search that finds this commit.
    pub fingerprint: String,
    /// The people who should know.
    #[serde(default)]
    pub people: People,
}

/// The estimated cost of one search for each test.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeparateEstimate {
    /// The number of builds.
    pub builds: u64,
    /// The number of test runs.
    pub test_runs: u64,
}

/// The result of a triage, final or the best so far.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriageReport {
    /// The status of the search.
    pub status: Status,
    /// The result in one or two sentences.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The full id of the bad revision.
    pub bad: String,
    /// The full ids of the good revisions. firstbad runs the first of them.
    pub good: Vec<String>,
    /// The probability at which a verdict is accepted.
    pub confidence: f64,
    /// The commits that broke tests, the one with the most tests first.
    pub culprits: Vec<TriageCulprit>,
    /// The verdicts: `(build)` if it was searched, then the configured tests in their order, then fixed and removed tests.
    pub tests: Vec<TestVerdict>,
    /// The number of builds.
    pub builds: u64,
    /// The number of runs of single tests.
    pub test_runs: u64,
    /// The duration of all runs in seconds. `None` if no observation has a duration.
    pub seconds: Option<f64>,
    /// The estimated cost of one search for each test.
    pub separate_estimate: SeparateEstimate,
    /// The number of suspects.
    pub suspects: usize,
    /// The full ids of the revisions with results, in the order of the history, oldest first.
    pub revisions: Vec<String>,
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
    /// The branches and tags of the endpoints, by full id, at most three of each. Empty if `commits` is empty.
    #[serde(default)]
    pub names: BTreeMap<String, Vec<String>>,
}
