//! `Slices`: parts of a history as trees and patches, and the search for the smallest one.

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

/// The full shas of a commit and of what was made of it, and the name and the content of the patch.
type Sliced = (String, String, String, Vec<u8>);

#[pymethods]
impl Slices {
    /// Of the history that a search's options, as JSON, describe.
    #[new]
    fn new(py: Python<'_>, repository: &Repository, options: &str) -> PyResult<Self> {
        let options = json::argument("options", options).or_raise(py)?;
        let repository = repository.shared();
        let made = move || firstbad_git::Slices::of_options(&repository, &options).map(Arc::new);
        Ok(Slices { inner: released(py, made, drop)? })
    }

    /// The search for the smallest slice, by its options as JSON.
    fn search(&self, py: Python<'_>, options: &str) -> PyResult<Search> {
        let options = json::argument("options", options).or_raise(py)?;
        let inner = Arc::clone(&self.inner);
        Ok(Search::of(released(py, move || inner.search(&options), drop)?))
    }

    /// Remembers what a search was told before.
    fn remember(&self, py: Python<'_>, search: &Search) {
        let events = search.brief(py, |session| session.inspect().events(0));
        self.inner.remember(&events);
    }

    /// What there is to run for a probe; or its answer, as JSON, if that is known and costs no run.
    fn trial(&self, py: Python<'_>, probe: &Probe) -> PyResult<ToDo> {
        let target = probe.target().clone();
        let inner = Arc::clone(&self.inner);
        ToDo::of(py, released(py, move || inner.trial(&target), drop)?)
    }

    /// The answer to a probe, as JSON, from what the oracle saw.
    fn seen(&self, py: Python<'_>, carried: &Carried, seen: &Bound<'_, PyAny>) -> PyResult<String> {
        json::text(&self.inner.seen(carried.inner(), observation(seen)?)).or_raise(py)
    }

    /// Shares what is seen of trees from here on, in a store where this search is called `run`.
    fn share(&self, py: Python<'_>, path: PathBuf, oracle: (String, String), run: String) -> PyResult<()> {
        let (name, version) = oracle;
        let opened = opened(py, path, Ok)?;
        let keys = Keys::trees();
        self.inner.share(Box::new(StoreCache::new(opened, OracleKey { name, version }, run, keys)));
        Ok(())
    }

    /// Why outcomes are not shared any more, if so.
    fn store_trouble(&self) -> Option<String> {
        self.inner.cache_trouble()
    }

    /// The changes to what a test covers, by its lines at the tip, from 1, by files from the top of the repository.
    fn covered(&self, py: Python<'_>, lines: BTreeMap<String, Vec<u32>>) -> PyResult<Vec<usize>> {
        let inner = Arc::clone(&self.inner);
        released(py, move || inner.covered(&lines), drop)
    }

    /// Tells the tests of an oracle which definitions change.
    fn trace(&self, py: Python<'_>, oracle: &CommandOracle) -> PyResult<()> {
        py.detach(|| oracle.inner().trace(&self.inner)).or_raise(py)
    }

    /// The definitions that changes insert, update or delete: file, qualified name and kind of each.
    fn definitions(&self, py: Python<'_>) -> PyResult<Vec<(String, String, &'static str)>> {
        let inner = Arc::clone(&self.inner);
        let found = released(py, move || inner.definitions(), drop)?;
        Ok(found.into_iter().map(|own| (own.file, own.name, own.kind)).collect())
    }

    /// The base and the tip, as full shas.
    fn ends(&self) -> (String, String) {
        let history = self.inner.history();
        (history.base.clone(), history.tip.clone())
    }

    /// The commits of the slice in a report, which is JSON.
    fn commits(&self, py: Python<'_>, report: &str) -> PyResult<Vec<Sliced>> {
        let kept = read(report).and_then(|report| report.slice()).or_raise(py)?;
        let inner = Arc::clone(&self.inner);
        let made = released(py, move || inner.commits(&kept), drop)?;
        Ok(made.into_iter().map(|commit| (commit.of, commit.made, commit.name, commit.patch)).collect())
    }

    /// Makes a branch of the slice in a report, which is JSON, and returns its newest commit.
    fn create_branch(&self, py: Python<'_>, name: String, report: &str) -> PyResult<String> {
        let kept = read(report).and_then(|report| report.slice()).or_raise(py)?;
        let inner = Arc::clone(&self.inner);
        released(py, move || inner.create_branch(&name, &kept), drop)
    }

    /// Removes all that was made.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner.close()).or_raise(py)
    }
}

fn read(report: &str) -> Result<SlicerReport, Error> {
    json::argument("report", report)
}

/// A report, as JSON, with what the commits are called that it names; `options` is the part about the history of the
/// search's, as JSON.
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
