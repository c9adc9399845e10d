//! Results as JSON.

use firstbad::{Error, printable_json};

use crate::summary::Summary;

/// Renders the result as a JSON object on several lines.
///
/// # Errors
/// [`Error::Io`] if the result has no JSON form.
pub(super) fn render(summary: &Summary) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(summary)
        .map_err(|error| Error::Io { action: "writing the result as JSON".to_owned(), message: error.to_string() })?;
    Ok(printable_json(&text) + "\n")
}
