//! `Variants`: revisions with changes applied, as trees and patches.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use firstbad::{Content, Request, Search as _, Target, json};
use firstbad_git::{Overlay, Trial, VariantsOptions, universes_of, wants_control};
use firstbad_journal::Session;
use firstbad_store::{Keys, OracleKey, StoreCache};
use pyo3::prelude::*;

use crate::answer::observation;
use crate::errors::OrRaise;
use crate::probe::Probe;
use crate::repository::{Repository, requested};
use crate::search::Search;
use crate::store::opened;
use crate::work::released;

/// The trees of revisions with changes applied.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Variants {
    inner: Arc<firstbad_git::Variants>,
}

/// Takes the reads on which these targets depend from a search.
fn known(py: Python<'_>, search: &Search, targets: &[&Target]) -> BTreeMap<u64, (Request, Content)> {
    search.brief(py, |session| universes_of(targets.iter().copied(), &|id| session.inspect().universe(id)))
}

#[pymethods]
impl Variants {
    #[new]
    #[pyo3(signature = (repository, overlay=None, folder=None))]
    fn new(
        py: Python<'_>,
        repository: &Repository,
        overlay: Option<(String, Vec<PathBuf>)>,
        folder: Option<PathBuf>,
    ) -> PyResult<Self> {
        let repository = repository.shared();
        let overlay = overlay.map(|(revision, paths)| Overlay { revision, paths });
        let made = move || {
            firstbad_git::Variants::new(&repository, VariantsOptions { overlay, folder, parse: false }).map(Arc::new)
        };
        Ok(Variants { inner: released(py, made, drop)? })
    }

    /// Creates the variants of a search by iterative delta debugging.
    #[staticmethod]
    fn of_search(py: Python<'_>, repository: &Repository, search: &Search) -> PyResult<Self> {
        let repository = repository.shared();
        let whole = |session: &mut Session| (session.inspect().configuration(), session.inspect().events(0));
        let (configuration, events) = search.brief(py, whole);
        let configuration = configuration.or_raise(py)?;
        let made = move || firstbad_git::Variants::of_search(&repository, &configuration, &events).map(Arc::new);
        Ok(Variants { inner: released(py, made, drop)? })
    }

    /// Returns the contents that a search asks to read, given as JSON.
    fn read(&self, py: Python<'_>, search: &Search, request: &str) -> PyResult<Cow<'static, [u8]>> {
        let request: Request = requested(request).or_raise(py)?;
        let known = match &request {
            Request::Diff { from, to } => known(py, search, &[from, to]),
            _ => BTreeMap::new(),
        };
        let inner = Arc::clone(&self.inner);
        let read = move || inner.read(&request, &|id| known.get(&id).cloned());
        released(py, read, drop).map(Cow::Owned)
    }

    /// Returns what to run for a probe, or its observation as JSON if no run is needed.
    fn trial(&self, py: Python<'_>, search: &Search, probe: &Probe) -> PyResult<ToDo> {
        let target = probe.target().clone();
        let known = known(py, search, &[&target]);
        let inner = Arc::clone(&self.inner);
        let trial = move || inner.trial(&target, &|id| known.get(&id).cloned());
        ToDo::of(py, released(py, trial, drop)?)
    }

    /// Converts the oracle's observation, and that of the control if there is one, to the probe's observation as JSON.
    #[pyo3(signature = (probe, carried, seen, control=None))]
    fn seen(
        &self,
        py: Python<'_>,
        probe: &Probe,
        carried: &Carried,
        seen: &Bound<'_, PyAny>,
        control: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let (seen, control) = (observation(seen)?, control.map(observation).transpose()?);
        json::text(&self.inner.seen(probe.target(), &carried.inner, seen, control.as_ref())).or_raise(py)
    }

    /// Returns whether a control must run after this observation of a probe.
    #[staticmethod]
    fn wants_control(probe: &Probe, seen: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(wants_control(probe.target(), &observation(seen)?))
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

    /// Removes all temporary objects.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner.close()).or_raise(py)
    }
}

/// The next step for a probe.
#[derive(IntoPyObject)]
pub(crate) enum ToDo {
    Run(Carried),
    Answered(String),
}

impl ToDo {
    pub(crate) fn of(py: Python<'_>, trial: Trial) -> PyResult<ToDo> {
        match trial {
            Trial::Run(inner) => Ok(ToDo::Run(Carried { inner })),
            Trial::Answered(seen) => Ok(ToDo::Answered(json::text(&*seen).or_raise(py)?)),
        }
    }
}

/// A revision with changes applied, as a patch.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Carried {
    inner: firstbad_git::Carried,
}

impl Carried {
    pub(crate) fn inner(&self) -> &firstbad_git::Carried {
        &self.inner
    }
}

#[pymethods]
impl Carried {
    /// Returns the patch from the revision's tree.
    #[getter]
    fn patch(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.inner.patch)
    }

    /// Returns the full id of the resulting tree.
    #[getter]
    fn tree(&self) -> &str {
        &self.inner.tree
    }

    /// Returns how the changes were applied.
    #[getter]
    fn way(&self) -> &'static str {
        self.inner.way.as_str()
    }
}
