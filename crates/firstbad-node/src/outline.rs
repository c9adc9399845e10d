//! The tree that the lines of a text form.

use napi_derive::napi;

use crate::error::thrown;
use crate::json::{parsed, text};

/// A JSON array of two: for each line its parent, and an object of what lines need.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn outline(lines: Vec<String>) -> napi::Result<String> {
    text(&firstbad::reduction::outline(lines.iter().map(String::as_str)))
}

/// The options of a reduction with what its lines say themselves, as JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn options_in_outline(options: String, lines: Vec<String>) -> napi::Result<String> {
    let options = parsed("options", &options)?;
    let lines = lines.iter().map(String::as_str);
    text(&firstbad::reduction::options_in_outline(&options, lines).map_err(thrown)?)
}
