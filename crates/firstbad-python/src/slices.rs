//! `Slices`: slices of a history, and the search for the smallest one.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use firstbad::{Error, Report, Search as _, SlicedHistory, SlicerReport, json};
use firstbad_store::{Keys, OracleKey, StoreCache};
use pyo3::prelude::*;

use crate::answer::observation;
use crate::errors::OrRaise;
use crate::probe::Probe;
use crate::repository::{CommandOracle, Repository};
use crate::search::Search;
use crate::store::opened;
use crate::variants::{Carried, ToDo};
use crate::work::released;

/// The parts of a history.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Slices {
    inner: Arc<firstbad_git::Slices>,
}

/// The full ids of a commit and of its counterpart in the slice, and the name and contents of the patch.
type Sliced = (String, String, String, Vec<u8>);

#[pymethods]
impl Slices {
    /// Splits the history in the options of a search, given as JSON.
    #[new]
    fn new(py: Python<'_>, repository: &Repository, options: &str) -> PyResult<Self> {
        let options = json::argument("options", options).or_raise(py)?;
        let repository = repository.shared();
        let made = move || firstbad_git::Slices::of_options(&repository, &options).map(Arc::new);
        Ok(Slices { inner: released(py, made, drop)? })
    }

    /// Creates the search for the smallest slice, with its options as JSON.
    fn search(&self, py: Python<'_>, options: &str) -> PyResult<Search> {
        let options = json::argument("options", options).or_raise(py)?;
        let inner = Arc::clone(&self.inner);
        Ok(Search::of(released(py, move || inner.search(&options), drop)?))
    }

    /// Records the outcomes that a search already has.
    fn remember(&self, py: Python<'_>, search: &Search) {
        let events = search.brief(py, |session| session.inspect().events(0));
        self.inner.remember(&events);
    }

    /// Returns what to run for a probe, or its observation as JSON if no run is needed.
    fn trial(&self, py: Python<'_>, probe: &Probe) -> PyResult<ToDo> {
        let target = probe.target().clone();
        let inner = Arc::clone(&self.inner);
        ToDo::of(py, released(py, move || inner.trial(&target), drop)?)
    }

    /// Converts the oracle's observation of a tree to that of its probe, as JSON.
    fn seen(&self, py: Python<'_>, carried: &Carried, seen: &Bound<'_, PyAny>) -> PyResult<String> {
        json::text(&self.inner.seen(carried.inner(), observation(seen)?)).or_raise(py)
    }

    /// Shares outcomes of trees from now on in a store, in which this search has the name `run`.
    fn share(&self, py: Python<'_>, path: PathBuf, oracle: (String, String), run: String) -> PyResult<()> {
        let (name, version) = oracle;
        let opened = opened(py, path, Ok)?;
        let keys = Keys::trees();
        self.inner.share(Box::new(StoreCache::new(opened, OracleKey { name, version }, run, keys)));
        Ok(())
    }

    /// Returns why outcomes are no longer shared, if so.
    fn store_trouble(&self) -> Option<String> {
        self.inner.cache_trouble()
    }

    /// Returns the changes to the lines that a test covers at the tip: for each file from the top of the repository, its line
    /// numbers from 1.
    fn covered(&self, py: Python<'_>, lines: BTreeMap<String, Vec<u32>>) -> PyResult<Vec<usize>> {
        let inner = Arc::clone(&self.inner);
        released(py, move || inner.covered(&lines), drop)
    }

    /// Passes the changed definitions to the tests of an oracle.
    fn trace(&self, py: Python<'_>, oracle: &CommandOracle) -> PyResult<()> {
        py.detach(|| oracle.inner().trace(&self.inner)).or_raise(py)
    }

    /// Returns the file, qualified name, and kind of each definition that changes insert, update, or delete.
    fn definitions(&self, py: Python<'_>) -> PyResult<Vec<(String, String, &'static str)>> {
        let inner = Arc::clone(&self.inner);
        let found = released(py, move || inner.definitions(), drop)?;
        Ok(found.into_iter().map(|own| (own.file, own.name, own.kind)).collect())
    }

    /// Returns the full ids of the base, the tip, and the branch to pick for.
    fn ends(&self) -> (String, String, Option<String>) {
        let history = self.inner.history();
        (history.base.clone(), history.tip.clone(), history.onto.clone())
    }

    /// Returns the commits of the slice in a report, given as JSON.
    fn commits(&self, py: Python<'_>, report: &str) -> PyResult<Vec<Sliced>> {
        let kept = read(report).and_then(|report| report.slice()).or_raise(py)?;
        let inner = Arc::clone(&self.inner);
        let made = released(py, move || inner.commits(&kept), drop)?;
        Ok(made.into_iter().map(|commit| (commit.of, commit.made, commit.name, commit.patch)).collect())
    }

    /// Creates a branch with the slice in a report, given as JSON, and returns its newest commit.
    fn create_branch(&self, py: Python<'_>, name: String, report: &str) -> PyResult<String> {
        let kept = read(report).and_then(|report| report.slice()).or_raise(py)?;
        let inner = Arc::clone(&self.inner);
        released(py, move || inner.create_branch(&name, &kept), drop)
    }

    /// Removes all temporary objects.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner.close()).or_raise(py)
    }
}

fn read(report: &str) -> Result<SlicerReport, Error> {
    json::argument("report", report)
}

/// Adds the subjects of commits to a report, given as JSON. `options` is the history part of the search's options as JSON.
#[pyfunction]
pub(crate) fn describe_slice(py: Python<'_>, report: &str, repository: &Repository, options: &str) -> PyResult<String> {
    let history = SlicedHistory::from_options(&json::argument("options", options).or_raise(py)?).or_raise(py)?;
    let mut report = Report::Slice(Box::new(read(report).or_raise(py)?));
    let repository = repository.shared();
    let described = move || {
        firstbad_git::describe(&mut report, &repository, Some(&history));
        json::text(&report)
    };
    released(py, described, drop)
}
