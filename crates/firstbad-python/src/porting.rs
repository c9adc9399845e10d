//! Reports of iterative delta debugging in figures.

use firstbad::{Error, PorterReport};
use pyo3::prelude::*;

use crate::answer::observation;
use crate::errors::OrRaise;
use crate::json::text;

/// A report, as JSON, with what a second test said of the fix, before and after.
#[pyfunction]
pub(crate) fn port_also(
    py: Python<'_>,
    report: &str,
    before: &Bound<'_, PyAny>,
    after: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let report = parsed(report).or_raise(py)?;
    text(&report.with_also(observation(before)?, observation(after)?)).or_raise(py)
}

fn parsed(report: &str) -> Result<PorterReport, Error> {
    serde_json::from_str(report).map_err(|error| Error::invalid("report", error.to_string(), "a report of this search"))
}

/// A figure of a report, given as JSON, as SVG.
#[pyfunction]
pub(crate) fn port_svg(py: Python<'_>, report: &str, figure: &str) -> PyResult<String> {
    let figure = figure.parse().or_raise(py)?;
    Ok(parsed(report).or_raise(py)?.to_svg(figure))
}
