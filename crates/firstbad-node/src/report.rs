//! Reports as text.

use firstbad::{ChangeReport, Spelling, json};
use napi_derive::napi;

use crate::error::thrown;
use crate::json::parsed;

/// Returns a report in a form: `text`, `markdown`, `json`, `github`, or `gitlab`. The report and `known`, additional facts for
/// it, are JSON.
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

/// Returns the causes of regression points in a report, as JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn read_causes(text: String) -> napi::Result<String> {
    let causes = firstbad_report::read_causes(&text).map_err(thrown)?;
    json::text(&causes).map_err(thrown)
}

/// Draws the measurements of a report, given as JSON, as SVG.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn change_svg(report: String) -> napi::Result<String> {
    Ok(firstbad_report::change_svg(&parsed::<ChangeReport>("report", &report)?))
}

/// Reads a report of this algorithm from JSON, either in the core's form or in the form `json`.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn read_report(algorithm: String, text: String) -> napi::Result<String> {
    firstbad_report::read(&algorithm, &text).map_err(thrown)
}
