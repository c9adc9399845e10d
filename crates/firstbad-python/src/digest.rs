//! Digests of items.

use firstbad::Error;
use firstbad::digest::Item;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::errors::OrRaise;

/// Returns the digest of items, each with the name of its kind, or None if an item has no form that all languages share.
#[pyfunction]
pub(crate) fn digest(py: Python<'_>, items: Vec<(String, PyBackedBytes)>) -> PyResult<Option<String>> {
    let items: Result<Vec<Item<'_>>, Error> = items.iter().map(|(kind, content)| Item::new(kind, content)).collect();
    Ok(firstbad::digest::digest(items.or_raise(py)?))
}
