//! Reports of iterative delta debugging, and their figures.

use firstbad::{Observation, PorterReport};
use napi_derive::napi;

use crate::error::thrown;
use crate::json::{parsed, text};

/// Adds the results of a second test before and after the fix to a report. All values are JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn port_also(report: String, before: String, after: String) -> napi::Result<String> {
    let report: PorterReport = parsed("report", &report)?;
    let (before, after): (Observation, Observation) = (parsed("before", &before)?, parsed("after", &after)?);
    text(&report.with_also(before, after))
}

/// Returns a figure of a report, given as JSON, as SVG.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn port_svg(report: String, figure: String) -> napi::Result<String> {
    let figure = figure.parse().map_err(thrown)?;
    Ok(firstbad_report::porting::svg(&parsed::<PorterReport>("report", &report)?, figure))
}
