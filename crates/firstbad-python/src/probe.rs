//! One request to test something.

use pyo3::prelude::*;

/// One request to test something: test `revision`, then `tell(id, ...)`.
#[pyclass(frozen, eq, hash, module = "firstbad._native")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Probe {
    /// The number to answer with, from 0.
    #[pyo3(get)]
    id: u64,
    /// The revision to test.
    #[pyo3(get)]
    revision: String,
}

#[pymethods]
impl Probe {
    #[new]
    fn new(id: u64, revision: String) -> Self {
        Probe { id, revision }
    }

    /// The changes to test: None, for these searches test whole revisions.
    #[getter]
    fn changes(&self) -> Option<Vec<u64>> {
        None
    }

    fn __getnewargs__(&self) -> (u64, &str) {
        (self.id, &self.revision)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let revision = pyo3::types::PyString::new(py, &self.revision).repr()?;
        Ok(format!("Probe(id={}, revision={revision})", self.id))
    }
}

impl From<firstbad::Probe> for Probe {
    fn from(probe: firstbad::Probe) -> Self {
        Probe { id: probe.id, revision: probe.revision().to_owned() }
    }
}

/// Probes as Python gets them.
pub(crate) fn probes(found: Vec<firstbad::Probe>) -> Vec<Probe> {
    found.into_iter().map(Probe::from).collect()
}
