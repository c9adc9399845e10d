//! Explanations of regression points. All values are JSON.

use firstbad::regression::{Explanation, RegressionReport};
use napi_derive::napi;

use crate::error::thrown;
use crate::json::{parsed, text};

/// Returns the plan for finding the causes of a report's points, from the search's configuration, report, and budget.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn explain(configuration: String, report: String, budget: String) -> napi::Result<String> {
    let configuration = parsed("configuration", &configuration)?;
    text(&Explanation::from_json(&configuration, &report, parsed("budget", &budget)?).map_err(thrown)?)
}

/// Adds the results of an explanation to a report.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn explained_report(explanation: String, report: String) -> napi::Result<String> {
    let explanation: Explanation = parsed("explanation", &explanation)?;
    let mut report: RegressionReport = parsed("report", &report)?;
    explanation.write_into(&mut report);
    text(&report)
}

/// Adds the cause of the point at this index to an explanation. `cause` is the report, or null if the patch is empty.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn explained(explanation: String, place: u32, cause: Option<String>) -> napi::Result<String> {
    let mut explanation: Explanation = parsed("explanation", &explanation)?;
    let cause = cause.map(|cause| parsed("cause", &cause)).transpose()?;
    explanation.told(place as usize, cause.as_ref()).map_err(thrown)?;
    text(&explanation)
}
