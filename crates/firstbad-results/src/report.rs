//! Reports and the results in them.

use std::collections::HashMap;

use firstbad::Outcome;
use serde::{Deserialize, Serialize};

use crate::format::Format;
use crate::runner::Runner;
use crate::rust_id;

/// The results of one test run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The format of the report.
    pub format: Format,
    /// The runner that wrote the report, if the caller or the content names it.
    pub runner: Option<Runner>,
    /// Whether the report has its end. A crash of the runner can cut a report.
    pub complete: bool,
    /// The results in the order of the report. Each id occurs once.
    pub tests: Vec<CaseResult>,
}

/// The result of one test as a report has it. It converts to a [`firstbad::TestResult`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The id of the test, as its runner takes it.
    pub id: String,
    /// The part of the suite that the result is about.
    pub scope: Scope,
    /// Fail if any run of the test failed, pass if all runs passed, and unresolved otherwise.
    pub outcome: Outcome,
    /// Whether the test was skipped. Its outcome is then unresolved.
    pub skipped: bool,
    /// The number of runs that passed.
    pub passes: u32,
    /// The number of runs that failed. Together with passes, failures mean that the test is flaky.
    pub fails: u32,
    /// The time of all runs in seconds, or `None` if the report does not have it.
    pub seconds: Option<f64>,
    /// The file of the test, relative to the [`Tree`](crate::Tree) if it is in the tree.
    pub file: Option<String>,
    /// The type of the first failure's exception, such as `TypeError`.
    pub kind: Option<String>,
    /// The message of the first failure or the reason of a skip, without colors, with at most
    /// [`LONGEST_MESSAGE`](crate::limits::LONGEST_MESSAGE) bytes. The message is untrusted text.
    pub message: String,
    /// The file of the innermost stack frame in the tree, for the first failure.
    pub frame: Option<String>,
    /// The [signature](crate::signature()) of the first failure.
    pub signature: Option<String>,
}

/// The part of a suite that a result is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// One test.
    #[default]
    Test,
    /// A test or suite that contains other tests of the report, which also have results.
    Group,
    /// A file or package that could not run. All of its tests are unresolved.
    File,
}

impl CaseResult {
    /// Returns whether the test passed and failed in one report.
    #[must_use]
    pub fn is_flaky(&self) -> bool {
        self.passes > 0 && self.fails > 0
    }

    /// Adds another run of the same test.
    pub(crate) fn add(&mut self, other: CaseResult) {
        // The first failure counts. A run that was repeated can have no message.
        if self.signature.is_none() && (other.fails > 0 || self.message.is_empty()) {
            (self.kind, self.message, self.frame, self.signature) =
                (other.kind, other.message, other.frame, other.signature);
        }
        self.passes = self.passes.saturating_add(other.passes);
        self.fails = self.fails.saturating_add(other.fails);
        self.seconds = self.seconds.map_or(other.seconds, |one| Some(one + other.seconds.unwrap_or_default()));
        self.file = self.file.take().or(other.file);
        self.scope = if other.scope == Scope::Test { self.scope } else { other.scope };
        self.skipped = self.skipped && other.skipped;
        self.outcome = outcome(self.passes, self.fails);
    }
}

/// Returns the outcome of several runs.
pub(crate) fn outcome(passes: u32, fails: u32) -> Outcome {
    match (passes, fails) {
        (_, 1..) => Outcome::Fail,
        (1.., 0) => Outcome::Pass,
        (0, 0) => Outcome::Unresolved,
    }
}

impl Report {
    /// Returns the tests that failed, without groups and files.
    pub fn red(&self) -> impl Iterator<Item = &CaseResult> {
        self.tests.iter().filter(|test| test.scope == Scope::Test && test.outcome == Outcome::Fail)
    }

    /// Returns whether the tests of a file could run: fail if the report says that the file could not be loaded, pass if a test of the
    /// file has a result, and unresolved otherwise.
    #[must_use]
    pub fn file_outcome(&self, file: &str) -> Outcome {
        let of_file = || self.tests.iter().filter(|test| test.file.as_deref() == Some(file) || test.id == file);
        let failed = of_file().any(|test| test.scope == Scope::File);
        outcome(of_file().count().try_into().unwrap_or(u32::MAX), failed.into())
    }

    /// Returns the result of each wanted test, or `None` if the report has no result for the test.
    ///
    /// An id of another report can differ from the runner's id: the separator of suites, a missing file, or a missing binary. Such
    /// an id has the only result with the same name.
    #[must_use]
    pub fn answers<'a>(&'a self, wanted: &[String]) -> Vec<Option<&'a CaseResult>> {
        let exact: HashMap<&str, &CaseResult> = self.tests.iter().map(|test| (test.id.as_str(), test)).collect();
        let mut loose: HashMap<String, Vec<(String, &CaseResult)>> = HashMap::new();
        if wanted.iter().any(|id| !exact.contains_key(id.as_str())) {
            for test in &self.tests {
                let (place, name) = key(self.runner, &test.id);
                loose.entry(name).or_default().push((place, test));
            }
        }
        let answer = |id: &String| {
            exact.get(id.as_str()).copied().or_else(|| {
                let (place, name) = key(self.runner, id);
                let alike = loose.get(&name)?;
                let mut agreeing = alike.iter().filter(|(other, _)| agree(&place, other));
                let (_, first) = agreeing.next()?;
                agreeing.next().is_none().then_some(*first)
            })
        };
        wanted.iter().map(answer).collect()
    }
}

/// Splits an id into its file, package, or binary and a name that is equal for all spellings.
fn key(runner: Option<Runner>, id: &str) -> (String, String) {
    let (place, name) = match runner {
        Some(Runner::Cargo | Runner::Nextest) => {
            // Cargo's names of binaries have `_` for `-`.
            let (binary, name) = rust_id::parts(id);
            return (binary.replace('-', "_"), name.to_owned());
        }
        _ => id.split_once("::").filter(|(place, _)| place.contains(['.', '/'])).unwrap_or(("", id)),
    };
    (place.to_owned(), name.replace(" > ", " "))
}

/// Returns whether two places can be the same: one is unknown, or one is the end of the other.
fn agree(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.is_empty() || long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', ':']))
}
