//! Conversion to sets of changes, from indices or a text of ranges.

use firstbad::ChangeSet;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{OrRaise, invalid};

/// Converts an iterable of indices, or a text such as `"0-3,7"`, to a set. If `count` is given, all indices must be below it.
pub(crate) fn change_set(argument: &str, given: &Bound<'_, PyAny>, count: Option<usize>) -> PyResult<ChangeSet> {
    if let Ok(text) = given.cast::<PyString>() {
        return text.to_str()?.parse().or_raise(given.py());
    }
    let found = indices(argument, given)?;
    match count {
        Some(count) => ChangeSet::checked(argument, &found, count).or_raise(given.py()),
        None => Ok(found.into_iter().collect()),
    }
}

/// Returns the indices of an iterable, in order.
pub(crate) fn indices(argument: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let items = given.try_iter().map_err(|_| invalid(argument, given, "indices, in something to iterate over"))?;
    let mut found = Vec::new();
    for item in items {
        let item = item?;
        found.push(item.extract().map_err(|_| invalid(argument, &item, "indices, 0 or above"))?);
    }
    Ok(found)
}
