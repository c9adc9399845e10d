//! Reports in words.

use firstbad::{Spelling, json};
use pyo3::prelude::*;

use crate::errors::OrRaise;

/// A report of this algorithm in a form: "text", "markdown", "json", "github" or "gitlab". The report is JSON, and so is what
/// is known beside it.
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

/// What a report of a search for regressions in a JSON text says of the causes of its points, as JSON.
#[pyfunction]
pub(crate) fn read_causes(py: Python<'_>, text: &str) -> PyResult<String> {
    let causes = firstbad_report::read_causes(text).or_raise(py)?;
    json::text(&causes).or_raise(py)
}

/// Removes terminal control sequences from a text.
#[pyfunction]
pub(crate) fn printable(words: &str) -> String {
    firstbad::printable(words)
}

/// The report of this algorithm, as the core writes it, in a JSON text: that, or an answer in the form "json".
#[pyfunction]
pub(crate) fn read_report(py: Python<'_>, algorithm: &str, text: &str) -> PyResult<String> {
    firstbad_report::read(algorithm, text).or_raise(py)
}
