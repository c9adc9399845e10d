//! Reports of iterative delta debugging in words.

use firstbad::{Error, PorterReport};
use pyo3::prelude::*;

use crate::errors::OrRaise;

/// A report, as JSON, as plain text, or as Markdown.
#[pyfunction]
pub(crate) fn port_words(py: Python<'_>, report: &str, markdown: bool) -> PyResult<String> {
    let report: PorterReport = serde_json::from_str(report)
        .map_err(|error| Error::invalid("report", error.to_string(), "a report of this search"))
        .or_raise(py)?;
    Ok(if markdown { report.to_markdown() } else { report.to_text() })
}
