//! Numbers of Python and NumPy.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyMapping;

use crate::errors::invalid;

/// What a number must be.
pub(crate) const FINITE: &str = "a finite number";

/// Converts finite numbers by name, without those that are None.
pub(crate) fn numbers(argument: &str, by_name: &Bound<'_, PyMapping>) -> PyResult<BTreeMap<String, f64>> {
    let mut found = BTreeMap::new();
    for item in by_name.items()? {
        let (id, value) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let name: String = id.extract().map_err(|_| invalid(argument, &id, "names of metrics, as str"))?;
        if value.is_none() {
            continue;
        }
        let finite = number(&value).filter(|number| number.is_finite());
        let measured = finite.ok_or_else(|| invalid(&format!("{argument}[{name:?}]"), &value, FINITE))?;
        found.insert(name, measured);
    }
    Ok(found)
}

/// Returns a number of Python or NumPy. A boolean is not a number.
pub(crate) fn number(value: &Bound<'_, PyAny>) -> Option<f64> {
    if value.extract::<bool>().is_ok() { None } else { value.extract().ok() }
}
