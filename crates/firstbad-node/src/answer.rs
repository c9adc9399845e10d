//! Outcomes that an oracle in JavaScript returned.

use std::collections::BTreeMap;

use firstbad::{Observation, TestResult, json};
use napi_derive::napi;

use crate::error::thrown;
use crate::json::parsed;

/// Returns the observation of an oracle that returned undefined, as JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn undefined_returned() -> napi::Result<String> {
    json::text(&Observation::of_nothing("undefined")).map_err(thrown)
}

/// Returns the observation of several tests as JSON, from their results by id as JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn observation_of_results(results: String) -> napi::Result<String> {
    let results: BTreeMap<String, TestResult> = parsed("answer", &results)?;
    json::text(&Observation::of_results(results)).map_err(thrown)
}
