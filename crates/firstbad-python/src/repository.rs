//! `Repository` and `CommandOracle`. Ctrl-C interrupts their waits.

use std::borrow::Cow;
use std::path::PathBuf;

use firstbad::{Error, Observation, Request, Spelling, json};
use firstbad_git::GraphOptions;
use firstbad_journal::Session;
use firstbad_oracle::{
    CommandOptions, MeasureOptions, MeasureOracle, Notice, RunKind, SuiteOptions, SuiteOracle, TestRecord,
};
use pyo3::prelude::*;
use serde_json::Value;

use crate::errors::OrRaise;
use crate::graph::CommitGraph;
use crate::pace::Step;
use crate::patch::Patch;
use crate::search::{Search, stands};
use crate::work::released;

/// A repository on disk.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Repository {
    pub(crate) inner: firstbad_git::Repository,
}

impl Repository {
    /// Returns the repository of the Git crate.
    pub(crate) fn shared(&self) -> firstbad_git::Repository {
        self.inner.clone()
    }
}

#[pymethods]
impl Repository {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, fetch: bool) -> PyResult<Self> {
        let inner = released(py, move || firstbad_git::Repository::open(path), drop)?;
        Ok(Repository { inner: inner.fetching(fetch) })
    }

    /// The folder of the repository.
    #[getter]
    fn path(&self) -> PathBuf {
        self.inner.path().to_owned()
    }

    /// Returns the full id for a revision's name in Git.
    fn resolve(&self, py: Python<'_>, revision: String) -> PyResult<String> {
        let inner = self.inner.clone();
        released(py, move || inner.resolve(&revision), drop)
    }

    /// Returns the full ids of a revision's parents.
    fn parents(&self, py: Python<'_>, revision: String) -> PyResult<Vec<String>> {
        let inner = self.inner.clone();
        released(py, move || inner.parents(&revision), drop)
    }

    /// Returns the full ids of revisions and of their trees.
    fn tree_ids(&self, py: Python<'_>, revisions: Vec<String>) -> PyResult<Vec<(String, String)>> {
        let inner = self.inner.clone();
        released(py, move || inner.tree_ids(&revisions), drop)
    }

    /// Returns the patch from one revision to another.
    fn diff(&self, py: Python<'_>, old: String, new: String) -> PyResult<Patch> {
        let inner = self.inner.clone();
        Patch::read(py, released(py, move || inner.diff(&old, &new), drop)?)
    }

    /// Returns the patch between two revisions in a form suited for subsets.
    fn diff_to_reduce(&self, py: Python<'_>, old: String, new: String) -> PyResult<Patch> {
        let inner = self.inner.clone();
        Patch::read(py, released(py, move || inner.diff_to_reduce(&old, &new), drop)?)
    }

    /// Gives known outcomes to a search among the changes of a patch, which applies to a revision.
    fn known_to(&self, search: &Bound<'_, Search>, revision: String, patch: &Patch) -> PyResult<()> {
        let (inner, patch) = (self.inner.clone(), patch.shared().clone());
        let know = move |session: &mut Session| {
            session.know_parts(firstbad_git::known_parts(&inner, &revision, &patch)?);
            Ok(())
        };
        search.get().step(search.py(), Step::Disk, know, stands)
    }

    /// Returns the contents that a search asks to read, given as JSON.
    fn read(&self, py: Python<'_>, request: &str) -> PyResult<Cow<'static, [u8]>> {
        let request = requested(request).or_raise(py)?;
        let inner = self.inner.clone();
        released(py, move || inner.read(&request), drop).map(Cow::Owned)
    }

    /// Returns the boundary commits of a shallow clone.
    fn boundary(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.inner.boundary().or_raise(py)
    }

    /// Creates a search by iterative delta debugging in the history of all revisions that its options name.
    fn porter(&self, py: Python<'_>, options: &str) -> PyResult<Search> {
        let options = json::argument("options", options).or_raise(py)?;
        let inner = self.inner.clone();
        Ok(Search::of(released(py, move || firstbad_git::porter(&inner, &options), drop)?))
    }

    /// Returns the changes of commits as a JSON array.
    fn changes(&self, py: Python<'_>, good: Vec<String>, bad: Vec<String>, merges: &str) -> PyResult<String> {
        let merges = merges.parse().or_raise(py)?;
        let inner = self.inner.clone();
        let found = released(py, move || inner.changes(&good, &bad, merges), drop)?;
        json::text(&found).or_raise(py)
    }

    /// Returns the commit graph of these tips.
    fn graph(
        &self,
        py: Python<'_>,
        tips: Option<Vec<String>>,
        exclude: Option<Vec<String>>,
        first_parent: bool,
        paths: Option<Vec<String>>,
    ) -> PyResult<CommitGraph> {
        let inner = self.inner.clone();
        let options = GraphOptions::given(tips, exclude, first_parent, paths).or_raise(py)?;
        CommitGraph::make(py, move || inner.graph(&options))
    }

    /// Creates an oracle for a command, with its options as JSON.
    fn command_oracle(&self, py: Python<'_>, command: Vec<String>, options: &str) -> PyResult<CommandOracle> {
        let options: Value = json::argument("options", options).or_raise(py)?;
        let options = CommandOptions::read(&options).or_raise(py)?;
        let inner = self.inner.clone();
        let made = released(py, move || firstbad_oracle::CommandOracle::new(&inner, command, options), drop)?;
        Ok(CommandOracle { inner: Inner::Command(Box::new(made)) })
    }

    /// Creates an oracle for a command that runs chosen tests, with its options as JSON.
    fn suite_oracle(&self, py: Python<'_>, command: Vec<String>, options: &str) -> PyResult<CommandOracle> {
        let options: Value = json::argument("options", options).or_raise(py)?;
        let (suite, options) = SuiteOptions::read(&options).or_raise(py)?;
        let inner = self.inner.clone();
        let made = released(py, move || SuiteOracle::new(&inner, command, &suite, options), drop)?;
        Ok(CommandOracle { inner: Inner::Suite(Box::new(made)) })
    }

    /// Creates an oracle for a command that measures numbers, with its options as JSON.
    fn measure_oracle(&self, py: Python<'_>, command: Vec<String>, options: &str) -> PyResult<CommandOracle> {
        let options: Value = json::argument("options", options).or_raise(py)?;
        let (measure, options) = MeasureOptions::read(&options).or_raise(py)?;
        let inner = self.inner.clone();
        let made = released(py, move || MeasureOracle::new(&inner, command, &measure, options), drop)?;
        Ok(CommandOracle { inner: Inner::Measure(Box::new(made)) })
    }
}

/// Parses the read request of a search.
pub(crate) fn requested(text: &str) -> Result<Request, Error> {
    json::argument("request", text)
}

/// An oracle that runs a command in a worktree of each revision.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct CommandOracle {
    inner: Inner,
}

/// The outcome of a command, the results of its tests, or its numbers.
enum Inner {
    Command(Box<firstbad_oracle::CommandOracle>),
    Suite(Box<SuiteOracle>),
    Measure(Box<MeasureOracle>),
}

impl CommandOracle {
    pub(crate) fn inner(&self) -> &firstbad_oracle::CommandOracle {
        match &self.inner {
            Inner::Command(oracle) => oracle,
            Inner::Suite(oracle) => oracle.command(),
            Inner::Measure(oracle) => oracle.command(),
        }
    }

    /// Returns the record of the test for a journal.
    pub(crate) fn record(&self) -> TestRecord {
        match &self.inner {
            Inner::Command(oracle) => oracle.record(),
            Inner::Suite(oracle) => oracle.record(),
            Inner::Measure(oracle) => oracle.record(),
        }
    }

    /// Runs a command until it ends or a signal handler raises an exception. Returns the observation as JSON.
    fn until_signal<R>(&self, py: Python<'_>, run: R) -> PyResult<String>
    where
        R: FnOnce(&Inner, &mut dyn FnMut() -> bool) -> Result<Observation, Error> + Send,
    {
        let mut signal = None;
        let mut keep_going = || match Python::try_attach(|py| py.check_signals()) {
            Some(Ok(())) => true,
            Some(Err(raised)) => {
                signal = Some(raised);
                false
            }
            None => false,
        };
        let seen = py.detach(|| run(&self.inner, &mut keep_going));
        match signal {
            Some(raised) => Err(raised),
            None => seen.and_then(|seen| json::text(&seen)).or_raise(py),
        }
    }
}

#[pymethods]
impl CommandOracle {
    /// Returns whether a control command runs after a failing test.
    #[getter]
    fn controlled(&self) -> bool {
        self.inner().is_controlled()
    }

    /// The names of the tests in its command.
    fn tests(&self) -> Vec<String> {
        firstbad::suspicion::tests_of_command(&self.record().command)
    }

    /// Runs the command, with a patch if given. Returns the observation as JSON. With `signed`, a failure always has a signature.
    /// With `fresh`, the run builds from a clean worktree.
    #[pyo3(signature = (revision, patch=None, signed=false, fresh=false))]
    fn run(&self, py: Python<'_>, revision: &str, patch: Option<&[u8]>, signed: bool, fresh: bool) -> PyResult<String> {
        let kind = RunKind { signed, fresh };
        self.until_signal(py, |_, keep_going| self.inner().run_as(revision, patch, kind, keep_going))
    }

    /// Runs tests by their ids, or the whole suite. Returns the observation as JSON.
    fn run_tests(&self, py: Python<'_>, revision: &str, tests: Option<Vec<String>>) -> PyResult<String> {
        self.until_signal(py, |inner, keep_going| match inner {
            Inner::Suite(suite) => suite.run_until(revision, tests.as_deref(), keep_going),
            _ => self.inner().run_until(revision, keep_going),
        })
    }

    /// Measures a revision, and then the good revision `control` if given. Returns the observation as JSON.
    #[pyo3(signature = (revision, control=None))]
    fn measure(&self, py: Python<'_>, revision: &str, control: Option<&str>) -> PyResult<String> {
        self.until_signal(py, |inner, keep_going| match (inner, control) {
            (Inner::Measure(oracle), Some(control)) => oracle.run_paired(revision, control, keep_going),
            (Inner::Measure(oracle), None) => oracle.run_until(revision, keep_going),
            _ => self.inner().run_until(revision, keep_going),
        })
    }

    /// Returns the options of a search that the command implies, as JSON.
    fn search_options(&self) -> String {
        match &self.inner {
            Inner::Measure(oracle) => oracle.search_options().to_string(),
            _ => "{}".to_owned(),
        }
    }

    /// Returns the number of kept builds or `"all"` as JSON, or None if the command has no results of tests.
    fn keep_builds(&self, py: Python<'_>) -> PyResult<Option<String>> {
        match &self.inner {
            Inner::Suite(suite) => json::text(&suite.keep_builds()).map(Some).or_raise(py),
            _ => Ok(None),
        }
    }

    /// Returns how many seconds all runs have been executing their commands.
    fn testing_for(&self) -> Option<f64> {
        self.inner().testing_for().map(|time| time.as_secs_f64())
    }

    /// Prepares a worktree of a revision for the next run.
    fn check_out(&self, py: Python<'_>, revision: &str) -> PyResult<()> {
        py.detach(|| self.inner().check_out(revision)).or_raise(py)
    }

    /// Limits each run by the time of earlier runs, if no timeout is given.
    fn limit_by_earlier_runs(&self) {
        self.inner().limit_by_earlier_runs();
    }

    /// Interrupts all runs, and later ones immediately.
    fn interrupt(&self, py: Python<'_>) {
        py.detach(|| self.inner().interrupt());
    }

    /// Allows runs again after an interruption.
    fn resume(&self, py: Python<'_>) {
        py.detach(|| self.inner().resume());
    }

    /// Returns the new notices about the test, each with whether it is a warning.
    fn take_notices(&self) -> Vec<(bool, String)> {
        let notices = self.inner().take_notices().into_iter();
        notices.map(|notice| (matches!(notice, Notice::Warning(_)), notice.text(Spelling::Python))).collect()
    }

    /// Returns the files that are copied into worktrees.
    #[getter]
    fn carried(&self) -> Vec<String> {
        self.inner().carried().map(str::to_owned).collect()
    }

    /// The folder with the output.
    #[getter]
    fn output_dir(&self) -> PathBuf {
        self.inner().output_dir().to_owned()
    }

    /// Leaves the runs to the parent process of a fork.
    fn forked(&self) {
        self.inner().forked();
    }

    /// Interrupts all runs and removes the worktrees.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner().close()).or_raise(py)
    }
}
