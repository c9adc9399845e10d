//! An answer as JSON, for programs.

use firstbad::{Error, printable_json};

use crate::summary::Summary;

/// The answer as one JSON object on several lines.
///
/// # Errors
/// [`Error::Io`] where it has no JSON form.
pub(super) fn render(summary: &Summary) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(summary)
        .map_err(|error| Error::Io { action: "writing the result as JSON".to_owned(), message: error.to_string() })?;
    Ok(printable_json(&text) + "\n")
}
