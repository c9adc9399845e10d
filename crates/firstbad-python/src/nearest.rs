//! What may have been meant by a name that nobody knows.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

/// What to write instead of a name that is not among the known ones, as the end of a sentence.
#[pyfunction]
pub(crate) fn instead(name: &str, known: Vec<PyBackedStr>) -> String {
    firstbad::instead(name, &known.iter().map(|name| &**name).collect::<Vec<_>>())
}
