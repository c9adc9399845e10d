//! Outcomes that an oracle in JavaScript returned.

use firstbad::{Observation, json};
use napi_derive::napi;

use crate::error::thrown;

/// Returns the observation of an oracle that returned undefined, as JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn undefined_returned() -> napi::Result<String> {
    json::text(&Observation::of_nothing("undefined")).map_err(thrown)
}
