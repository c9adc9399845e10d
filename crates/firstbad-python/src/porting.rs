//! Reports of iterative delta debugging, and their figures.

use firstbad::{Error, PorterReport, json};
use pyo3::prelude::*;

use crate::answer::observation;
use crate::errors::OrRaise;

/// Adds the results of a second test before and after the fix to a report, given as JSON.
#[pyfunction]
pub(crate) fn port_also(
    py: Python<'_>,
    report: &str,
    before: &Bound<'_, PyAny>,
    after: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let report = parsed(report).or_raise(py)?;
    json::text(&report.with_also(observation(before)?, observation(after)?)).or_raise(py)
}

fn parsed(report: &str) -> Result<PorterReport, Error> {
    json::argument("report", report)
}

/// Returns a figure of a report, given as JSON, as SVG.
#[pyfunction]
pub(crate) fn port_svg(py: Python<'_>, report: &str, figure: &str) -> PyResult<String> {
    let figure = figure.parse().or_raise(py)?;
    Ok(firstbad_report::porting::svg(&parsed(report).or_raise(py)?, figure))
}
