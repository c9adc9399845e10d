//! `Patch`: a patch of the core, shared without a copy.

use firstbad::json;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use firstbad::patch::{ChangeKind, FilePatch, Hunk};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::changes::indices;
use crate::errors::OrRaise;
use crate::work::released;

/// The size in bytes from which work on a patch is long.
const LONG: usize = 1 << 20;

/// A patch as numbered changes.
#[pyclass(frozen, eq, module = "firstbad._native")]
#[derive(PartialEq)]
pub(crate) struct Patch {
    patch: Arc<firstbad::Patch>,
}

type HunkFields<'py> = ((usize, usize), (usize, usize), Bound<'py, PyBytes>, (usize, usize));
type FileFields<'py> = (
    Option<Bound<'py, PyBytes>>,
    Option<Bound<'py, PyBytes>>,
    Vec<&'static str>,
    bool,
    (usize, usize),
    Vec<HunkFields<'py>>,
);
type ChangeFields<'py> = (usize, Option<usize>, &'static str, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Option<usize>);
type Files = Vec<(Vec<u8>, Vec<u8>)>;

impl Patch {
    /// Parses a patch without the interpreter's lock.
    pub(crate) fn read(py: Python<'_>, text: Vec<u8>) -> PyResult<Self> {
        let long = text.len() >= LONG;
        Self::made(py, long, move || firstbad::Patch::parse(&text))
    }

    fn made<M>(py: Python<'_>, long: bool, make: M) -> PyResult<Self>
    where
        M: FnOnce() -> Result<firstbad::Patch, firstbad::Error> + Send + 'static,
    {
        Ok(Patch { patch: Arc::new(work(py, long, make)?) })
    }

    /// Returns the patch of the core.
    pub(crate) fn shared(&self) -> &firstbad::Patch {
        &self.patch
    }

    fn is_long(&self) -> bool {
        self.patch.as_bytes().len() >= LONG
    }

    fn walk<T, W>(&self, py: Python<'_>, walk: W) -> PyResult<T>
    where
        T: Send + 'static,
        W: FnOnce(&firstbad::Patch) -> Result<T, firstbad::Error> + Send + 'static,
    {
        let patch = Arc::clone(&self.patch);
        work(py, self.is_long(), move || walk(&patch))
    }
}

fn work<T, W>(py: Python<'_>, long: bool, work: W) -> PyResult<T>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, firstbad::Error> + Send + 'static,
{
    if long { released(py, work, drop) } else { work().or_raise(py) }
}

#[pymethods]
impl Patch {
    #[new]
    fn new(py: Python<'_>, text: &[u8]) -> PyResult<Self> {
        Self::read(py, text.to_vec())
    }

    /// Creates a part of another patch. `kept` are the numbers of its changes in that patch.
    #[staticmethod]
    fn part(py: Python<'_>, text: &[u8], kept: Vec<usize>) -> PyResult<Self> {
        let read = Self::read(py, text.to_vec())?;
        Ok(Patch { patch: Arc::new(read.shared().clone().taken_from(&kept)) })
    }

    /// Returns the card of the patch.
    fn card(&self) -> String {
        firstbad_report::card::patch_card(&self.patch)
    }

    fn __len__(&self) -> usize {
        self.patch.len()
    }

    /// Returns the patch as it was parsed.
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.patch.as_bytes())
    }

    /// Returns the patch with only these changes.
    fn subset(&self, changes: &Bound<'_, PyAny>) -> PyResult<Self> {
        let taken = indices("changes", changes)?;
        let patch = Arc::clone(&self.patch);
        Self::made(changes.py(), self.is_long(), move || patch.subset(&taken))
    }

    /// Returns the patch without binary files that have no content.
    fn with_content(&self, py: Python<'_>) -> PyResult<Self> {
        let (patch, _) = self.patch.with_content().or_raise(py)?;
        Ok(Patch { patch: Arc::new(patch) })
    }

    /// Returns the number of each change in the patch from which this one was taken.
    fn origin(&self) -> Vec<usize> {
        self.patch.origin().to_vec()
    }

    /// Returns the dependencies of each change.
    fn dependencies(&self, py: Python<'_>) -> PyResult<Vec<Vec<usize>>> {
        self.walk(py, firstbad::Patch::dependencies)
    }

    /// Returns the parent of each change, hunk, and file.
    fn parents(&self) -> Vec<Option<usize>> {
        self.patch.parents()
    }

    /// Returns the fields of each file: its paths before and after, the effect of its header, whether it is binary, its changes,
    /// and its hunks.
    fn files<'py>(&self, py: Python<'py>) -> Vec<FileFields<'py>> {
        self.patch.files().map(|file| file_fields(py, file)).collect()
    }

    /// Returns the fields of each change: its file, hunk, kind, path, text, and line.
    fn changes<'py>(&self, py: Python<'py>) -> Vec<ChangeFields<'py>> {
        let fields = |change: firstbad::patch::Change<'_>| {
            let (path, text) = (PyBytes::new(py, change.path), PyBytes::new(py, &change.text));
            (change.file, change.hunk, change.kind.as_str(), path, text, change.line)
        };
        self.patch.changes().map(fields).collect()
    }

    /// Applies the patch to files and returns the results.
    fn apply<'py>(&self, py: Python<'py>, files: Files) -> PyResult<Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
        let files: BTreeMap<Vec<u8>, Vec<u8>> = files.into_iter().collect();
        let long = self.is_long() || files.values().map(Vec::len).sum::<usize>() >= LONG;
        let patch = Arc::clone(&self.patch);
        let made = work(py, long, move || patch.apply(&files))?;
        let bytes = |text: &[u8]| PyBytes::new(py, text);
        Ok(made.iter().map(|(path, content)| (bytes(path), bytes(content))).collect())
    }
}

fn file_fields<'py>(py: Python<'py>, file: FilePatch<'_>) -> FileFields<'py> {
    let path = |path: Option<&[u8]>| path.map(|path| PyBytes::new(py, path));
    let hunk =
        |hunk: Hunk<'_>| (hunk.old_span(), hunk.new_span(), PyBytes::new(py, hunk.heading()), ends(hunk.changes()));
    (
        path(file.old_path()),
        path(file.new_path()),
        file.header().map(ChangeKind::as_str).collect(),
        file.is_binary(),
        ends(file.changes()),
        file.hunks().map(hunk).collect(),
    )
}

fn ends(range: Range<usize>) -> (usize, usize) {
    (range.start, range.end)
}

/// Adds the options that a patch implies to the options of a reduction.
#[pyfunction]
pub(crate) fn options_in_patch(
    py: Python<'_>,
    options: String,
    patch: PyRef<'_, Patch>,
    granularity: String,
) -> PyResult<String> {
    let configuration = move |patch: &firstbad::Patch| {
        json::text(&firstbad::reduction::options_in_patch(
            &json::argument("options", &options)?,
            patch,
            granularity.parse()?,
        )?)
    };
    patch.walk(py, configuration)
}
