//! Reports as text.

use firstbad::{ChangeReport, Spelling, json};
use pyo3::prelude::*;

use crate::errors::OrRaise;

/// Returns a report in a form: `text`, `markdown`, `json`, `github`, or `gitlab`. The report and `known`, additional facts for
/// it, are JSON.
#[pyfunction]
pub(crate) fn in_form(py: Python<'_>, algorithm: &str, report: &str, known: &str, form: &str) -> PyResult<String> {
    firstbad_report::in_form(algorithm, report, known, form, Spelling::Python).or_raise(py)
}

/// Renders the options in the strings of a JSON text as Python writes them.
#[pyfunction]
pub(crate) fn spelled(text: &str) -> String {
    Spelling::Python.render_json(text)
}

/// Returns the HTML cards of the causes found for the points of a report. `report` and `known` are JSON.
#[pyfunction]
pub(crate) fn cause_cards(py: Python<'_>, algorithm: &str, report: &str, known: &str) -> PyResult<String> {
    firstbad_report::cards_of_causes(algorithm, report, known).or_raise(py)
}

/// Returns the causes of regression points in a report, as JSON.
#[pyfunction]
pub(crate) fn read_causes(py: Python<'_>, text: &str) -> PyResult<String> {
    let causes = firstbad_report::read_causes(text).or_raise(py)?;
    json::text(&causes).or_raise(py)
}

/// Draws the measurements of a report, given as JSON, as SVG.
#[pyfunction]
pub(crate) fn change_svg(py: Python<'_>, report: &str) -> PyResult<String> {
    let report: ChangeReport = json::argument("report", report).or_raise(py)?;
    Ok(firstbad_report::change_svg(&report))
}

/// Removes terminal control sequences from a text.
#[pyfunction]
pub(crate) fn printable(words: &str) -> String {
    firstbad::printable(words)
}

/// Reads a report of this algorithm from JSON, either in the core's form or in the form `json`.
#[pyfunction]
pub(crate) fn read_report(py: Python<'_>, algorithm: &str, text: &str) -> PyResult<String> {
    firstbad_report::read(algorithm, text).or_raise(py)
}
