//! Reports of iterative delta debugging in words.

use firstbad::PorterReport;
use pyo3::prelude::*;

use crate::errors::to_py;

/// A report, as JSON, as plain text, or as Markdown.
#[pyfunction]
pub fn port_words(report: &str, markdown: bool) -> PyResult<String> {
    let report: PorterReport = serde_json::from_str(report)
        .map_err(|error| to_py(firstbad::Error::invalid("report", error.to_string(), "a report of this search")))?;
    Ok(if markdown { report.to_markdown() } else { report.to_text() })
}
