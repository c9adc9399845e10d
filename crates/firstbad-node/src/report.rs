//! Reports in words.

use firstbad::{Spelling, json};
use napi_derive::napi;

use crate::error::thrown;

/// A report of this algorithm in a form: "text", "markdown", "json", "github" or "gitlab". The report is JSON, and so is what
/// is known beside it.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn in_form(algorithm: String, report: String, known: String, form: String) -> napi::Result<String> {
    firstbad_report::in_form(&algorithm, &report, &known, &form, Spelling::Node).map_err(thrown)
}

/// Renders the options in the strings of a JSON text as JavaScript writes them.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn spelled(text: String) -> String {
    Spelling::Node.render_json(&text)
}

/// Returns the HTML cards of the causes found for the points of a report. `report` and `known` are JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn cause_cards(algorithm: String, report: String, known: String) -> napi::Result<String> {
    firstbad_report::cards_of_causes(&algorithm, &report, &known).map_err(thrown)
}

/// What a report of a search for regressions in a JSON text says of the causes of its points, as JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn read_causes(text: String) -> napi::Result<String> {
    let causes = firstbad_report::read_causes(&text).map_err(thrown)?;
    json::text(&causes).map_err(thrown)
}

/// The report of this algorithm, as the core writes it, in a JSON text: that, or an answer in the form "json".
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn read_report(algorithm: String, text: String) -> napi::Result<String> {
    firstbad_report::read(&algorithm, &text).map_err(thrown)
}
