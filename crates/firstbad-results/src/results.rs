//! The conversion of reports to the results of an observation.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use firstbad::{Outcome, TestResult};

use crate::error::ResultsError;
use crate::reader::Reader;
use crate::report::{CaseResult, Report, Scope};
use crate::runner::Runner;
use crate::tree::Tree;

/// A report to read.
#[derive(Debug, Clone)]
pub enum Source {
    /// The content of a report.
    Content(Vec<u8>),
    /// The path of a report.
    File(PathBuf),
}

/// Reads reports, and returns the [`results`] of their tests. The content names the runner if the caller does not. `root` is the
/// folder that the test command ran in.
///
/// # Errors
/// The errors of [`Reader::read`] and [`Reader::read_file`].
pub fn read_results(
    sources: &[Source],
    runner: Option<Runner>,
    root: &Path,
) -> Result<BTreeMap<String, TestResult>, ResultsError> {
    let exists = |path: &str| root.join(path).exists();
    let name = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    let name = name.to_string_lossy();
    let reader = Reader::new().tree(Tree::new(&name, &exists));
    let reader = runner.map_or(reader, |runner| reader.runner(runner));
    let read = |source: &Source| match source {
        Source::Content(content) => reader.read(content),
        Source::File(path) => reader.read_file(path),
    };
    let reports = sources.iter().map(read).collect::<Result<Vec<Report>, ResultsError>>()?;
    Ok(results(&reports))
}

/// Returns the results of the tests of several reports by id, without groups. A file that could not run has a failure under its path.
///
/// If several reports have the same test, its runs are added: the outcome is fail if a run failed.
#[must_use]
pub fn results<'a>(reports: impl IntoIterator<Item = &'a Report>) -> BTreeMap<String, TestResult> {
    let mut cases: BTreeMap<&str, CaseResult> = BTreeMap::new();
    for case in reports.into_iter().flat_map(|report| &report.tests).filter(|case| case.scope != Scope::Group) {
        let counted = match case.scope {
            Scope::File => CaseResult { outcome: Outcome::Fail, fails: 1, ..case.clone() },
            _ => case.clone(),
        };
        match cases.entry(&case.id) {
            Entry::Vacant(entry) => {
                entry.insert(counted);
            }
            Entry::Occupied(mut entry) => entry.get_mut().add(counted),
        }
    }
    cases.iter().map(|(&id, case)| (id.to_owned(), case.into())).collect()
}

impl Report {
    /// Returns the results of the tests by id, as [`results`] does.
    #[must_use]
    pub fn results(&self) -> BTreeMap<String, TestResult> {
        results([self])
    }

    /// Returns the results of the wanted tests by their wanted id, as [`Report::answers`] finds them. Tests without a result are
    /// left out.
    #[must_use]
    pub fn results_of(&self, wanted: &[String]) -> BTreeMap<String, TestResult> {
        let cases = wanted.iter().zip(self.answers(wanted));
        cases.filter_map(|(id, case)| Some((id.clone(), case?.into()))).collect()
    }
}

impl From<&CaseResult> for TestResult {
    fn from(case: &CaseResult) -> Self {
        // A single run needs no counts.
        let is_repeated = case.passes.saturating_add(case.fails) > 1;
        TestResult {
            signature: case.signature.clone(),
            seconds: case.seconds,
            passes: is_repeated.then_some(case.passes),
            fails: is_repeated.then_some(case.fails),
            ..case.outcome.into()
        }
    }
}
