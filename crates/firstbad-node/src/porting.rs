//! Reports of iterative delta debugging in words.

use firstbad::{Error, PorterReport};
use napi_derive::napi;

use crate::error::thrown;

/// A report, as JSON, as plain text, or as Markdown.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn port_words(report: String, markdown: bool) -> napi::Result<String> {
    let report: PorterReport = serde_json::from_str(&report)
        .map_err(|error| thrown(Error::invalid("report", error.to_string(), "a report of this search")))?;
    Ok(if markdown { report.to_markdown() } else { report.to_text() })
}
