//! Suggestions for unknown names.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

/// Returns a suggestion to replace an unknown name, as the end of a sentence.
#[pyfunction]
pub(crate) fn instead(name: &str, known: Vec<PyBackedStr>) -> String {
    firstbad::instead(name, &known.iter().map(|name| &**name).collect::<Vec<_>>())
}
