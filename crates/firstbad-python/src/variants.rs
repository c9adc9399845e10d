//! `Variants`: revisions with changes on them, as trees and patches.

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

/// The trees of revisions with changes on them.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Variants {
    inner: Arc<firstbad_git::Variants>,
}

/// What the reads are that targets rest on, taken out of a search.
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

    /// For a search of iterative delta debugging.
    #[staticmethod]
    fn of_search(py: Python<'_>, repository: &Repository, search: &Search) -> PyResult<Self> {
        let repository = repository.shared();
        let whole = |session: &mut Session| (session.inspect().configuration(), session.inspect().events(0));
        let (configuration, events) = search.brief(py, whole);
        let configuration = configuration.or_raise(py)?;
        let made = move || firstbad_git::Variants::of_search(&repository, &configuration, &events).map(Arc::new);
        Ok(Variants { inner: released(py, made, drop)? })
    }

    /// What a search asks to see, given as JSON.
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

    /// What there is to run for a probe; or its answer, as JSON, if that is known and costs no run.
    fn trial(&self, py: Python<'_>, search: &Search, probe: &Probe) -> PyResult<ToDo> {
        let target = probe.target().clone();
        let known = known(py, search, &[&target]);
        let inner = Arc::clone(&self.inner);
        let trial = move || inner.trial(&target, &|id| known.get(&id).cloned());
        ToDo::of(py, released(py, trial, drop)?)
    }

    /// The answer to a probe, as JSON, from what the oracle saw, and the control where there is one.
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

    /// Whether a control is to be run after a test of a probe that ended so.
    #[staticmethod]
    fn wants_control(probe: &Probe, seen: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(wants_control(probe.target(), &observation(seen)?))
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

    /// Removes all that was made.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner.close()).or_raise(py)
    }
}

/// What there is to do for a probe.
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

/// A revision with changes on it, as a patch.
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
    /// The patch from the revision's own tree.
    #[getter]
    fn patch(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.inner.patch)
    }

    /// The full id of the tree that it makes.
    #[getter]
    fn tree(&self) -> &str {
        &self.inner.tree
    }

    /// How the changes came there.
    #[getter]
    fn way(&self) -> &'static str {
        self.inner.way.as_str()
    }
}
