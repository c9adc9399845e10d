//! `Variants`: revisions with changes on them, as trees and patches.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use firstbad::{Content, Error, Request, Search as _, Target};
use firstbad_git::{Overlay, VariantsOptions, universes_of};
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::probe::Probe;
use crate::repository::{Repository, requested};
use crate::search::Search;
use crate::work::interruptible;

/// The trees of revisions with changes on them.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Variants {
    inner: Arc<firstbad_git::Variants>,
}

/// What the reads are that targets rest on, taken out of a search.
fn known(py: Python<'_>, search: &Search, targets: &[&Target]) -> BTreeMap<u64, (Request, Content)> {
    let session = search.lock(py);
    universes_of(targets.iter().copied(), &|id| session.inspect().universe(id))
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
        let made = move || firstbad_git::Variants::new(&repository, VariantsOptions { overlay, folder }).map(Arc::new);
        Ok(Variants { inner: interruptible(py, made, drop)?.or_raise(py)? })
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
        interruptible(py, read, drop)?.or_raise(py).map(Cow::Owned)
    }

    /// The target of a probe as a patch on its revision, or why it cannot be one.
    fn carried(&self, py: Python<'_>, search: &Search, probe: &Probe) -> PyResult<Fitting> {
        let target = probe.target().clone();
        let known = known(py, search, &[&target]);
        let inner = Arc::clone(&self.inner);
        let carried = move || inner.carried(&target, &|id| known.get(&id).cloned());
        match interruptible(py, carried, drop)? {
            Ok(inner) => Ok(Fitting::Carried(Carried { inner })),
            Err(Error::PatchConflict { file, hunk, message }) => {
                Ok(Fitting::Conflict(Conflict { file, hunk, message }))
            }
            Err(error) => Err(error).or_raise(py),
        }
    }

    /// Removes all that was made.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner.close()).or_raise(py)
    }
}

/// What came of carrying changes to a revision.
#[derive(IntoPyObject)]
enum Fitting {
    Carried(Carried),
    Conflict(Conflict),
}

/// A revision with changes on it, as a patch.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Carried {
    inner: firstbad_git::Carried,
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

/// Why changes cannot be carried to a revision.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Conflict {
    file: String,
    hunk: Option<usize>,
    message: String,
}

#[pymethods]
impl Conflict {
    /// The file.
    #[getter]
    fn file(&self) -> String {
        firstbad::printable(&self.file)
    }

    /// The hunk in that file, from 1; None if it is about the file as a whole.
    #[getter]
    fn hunk(&self) -> Option<usize> {
        self.hunk
    }

    /// What does not fit.
    #[getter]
    fn message(&self) -> String {
        firstbad::printable(&self.message)
    }

    fn __str__(&self) -> String {
        let error = Error::PatchConflict { file: self.file.clone(), hunk: self.hunk, message: self.message.clone() };
        firstbad::printable(&error.to_string())
    }
}
