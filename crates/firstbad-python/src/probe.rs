//! Probes: requests to test a target.

use std::hash::{Hash, Hasher};

use firstbad::{ChangeSet, Search as _, Target};
use firstbad_journal::Session;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::changes::change_set;
use crate::errors::invalid;

/// The length up to which items are copied one by one.
const SHORT: usize = 12;

/// A probe with the ids of its tests.
pub(crate) type Asked = (firstbad::Probe, Option<Vec<String>>);

/// Adds the ids of their tests to the probes of a search.
pub(crate) fn with_tests(session: &Session, probes: Vec<firstbad::Probe>) -> Vec<Asked> {
    let named = |probe: firstbad::Probe| {
        let tests = session.inspect().tests(&probe.target);
        (probe, tests)
    };
    probes.into_iter().map(named).collect()
}

/// A request to test `revision`, with the tests in `tests`, or to keep only the items with the indices in `changes`.
#[pyclass(frozen, eq, hash, module = "firstbad._native")]
pub(crate) struct Probe {
    /// The number to tell the outcome with, from 0.
    #[pyo3(get)]
    id: u64,
    pub(crate) target: Target,
    /// Whether the probe confirms a result: the revision was tested before and must run again, alone, in a clean worktree.
    #[pyo3(get)]
    confirms: bool,
    /// The ids of the tests to run, or `None`.
    tests: Option<Vec<String>>,
    /// Created at the first access.
    changes: PyOnceLock<Py<PyTuple>>,
}

impl Probe {
    /// Returns the target to test.
    pub(crate) fn target(&self) -> &Target {
        &self.target
    }
}

/// The arguments of `Probe`, for pickle.
type NewArguments<'a> = (u64, Option<&'a str>, Option<String>, Option<u64>, bool, Option<&'a [String]>, Option<String>);

#[pymethods]
impl Probe {
    #[new]
    #[pyo3(signature = (id, revision=None, changes=None, universe=None, confirms=false, tests=None, set=None))]
    #[allow(clippy::too_many_arguments, reason = "one for each attribute")]
    fn new(
        py: Python<'_>,
        id: u64,
        revision: Option<String>,
        changes: Option<&Bound<'_, PyAny>>,
        universe: Option<u64>,
        confirms: bool,
        tests: Option<Vec<String>>,
        set: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if revision.is_none() && changes.is_none() {
            return Err(invalid("revision", PyString::new(py, "").as_any(), "a revision, or changes"));
        }
        let changes = changes.map(|changes| change_set("changes", changes, None)).transpose()?;
        let set = set.map(|set| change_set("set", set, None)).transpose()?;
        let target = Target { revision, changes, universe, tests: set };
        Ok(Probe::from((firstbad::Probe { id, target, confirms }, tests)))
    }

    /// The revision to test, or `None` if the search tests sets of items.
    #[getter]
    fn revision(&self) -> Option<&str> {
        self.target.revision.as_deref()
    }

    /// The indices of the items to keep in ascending order, or `None` if the search tests whole revisions.
    #[getter]
    fn changes<'py>(&self, py: Python<'py>) -> PyResult<Option<&Bound<'py, PyTuple>>> {
        let Some(set) = &self.target.changes else { return Ok(None) };
        let made = self.changes.get_or_try_init(py, || {
            let indices: Vec<usize> = set.iter().collect();
            PyTuple::new(py, indices).map(Bound::unbind)
        })?;
        Ok(Some(made.bind(py)))
    }

    /// The number of the read whose changes the indices refer to, or None if they refer to all changes.
    #[getter]
    fn universe(&self) -> Option<u64> {
        self.target.universe
    }

    /// The ids of the tests to run, or `None` for the whole suite and for searches of a single test. Empty for a build.
    #[getter]
    fn tests<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.tests.as_ref().map(|tests| PyTuple::new(py, tests)).transpose()
    }

    /// Returns a new list with the items to keep, in the same order.
    fn pick<'py>(&self, items: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyList>> {
        let py = items.py();
        let everything = || PyList::new(py, items.iter());
        let Some(set) = &self.target.changes else { return everything() };
        if set.end() > items.len() {
            let expected = format!("at least {} items, for they are asked for", set.end());
            return Err(invalid("items", items.len().into_pyobject(py)?.as_any(), &expected));
        }
        // A slice only copies pointers, and most sets consist of a few slices.
        let mut runs = set.runs();
        let Some(first) = runs.next() else { return Ok(PyList::empty(py)) };
        let kept = items.get_slice(first.start, first.end);
        for run in runs {
            if run.len() < SHORT {
                run.into_iter().try_for_each(|index| kept.append(items.get_item(index)?))?;
            } else {
                let end = kept.len();
                kept.set_slice(end, end, items.get_slice(run.start, run.end).as_any())?;
            }
        }
        Ok(kept)
    }

    fn __getnewargs__(&self) -> NewArguments<'_> {
        let short = |set: &Option<ChangeSet>| set.as_ref().map(ChangeSet::to_string);
        let Target { changes, universe, tests, .. } = &self.target;
        (self.id, self.revision(), short(changes), *universe, self.confirms, self.tests.as_deref(), short(tests))
    }

    fn __str__(&self) -> String {
        self.target.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = |name: &str, text: &str| Ok::<_, PyErr>(format!(", {name}={}", PyString::new(py, text).repr()?));
        let revision = self.revision().map_or(Ok(String::new()), |revision| shown("revision", revision))?;
        let changes = self.target.changes.as_ref();
        let changes = changes.map_or(Ok(String::new()), |changes| shown("changes", &changes.to_string()))?;
        let universe = self.target.universe.map_or(String::new(), |universe| format!(", universe={universe}"));
        let confirms = if self.confirms { ", confirms=True" } else { "" };
        let tests =
            self.tests(py)?.map_or(Ok(String::new()), |tests| Ok::<_, PyErr>(format!(", tests={}", tests.repr()?)))?;
        Ok(format!("Probe(id={}{revision}{changes}{universe}{confirms}{tests})", self.id))
    }
}

impl PartialEq for Probe {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.target == other.target
    }
}

impl Hash for Probe {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
        self.target.hash(state);
    }
}

impl From<Asked> for Probe {
    fn from((firstbad::Probe { id, target, confirms }, tests): Asked) -> Self {
        Probe { id, target, confirms, tests, changes: PyOnceLock::new() }
    }
}

/// Converts probes to Python objects.
pub(crate) fn probes(found: Vec<Asked>) -> Vec<Probe> {
    found.into_iter().map(Probe::from).collect()
}
