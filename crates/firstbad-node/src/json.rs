//! Conversion of configurations, observations, and events to JSON text.

use firstbad::json;
use serde::de::DeserializeOwned;

use crate::error::thrown;

/// Parses a value. If the text is invalid, the error names `argument` and the position.
pub(crate) fn parsed<T: DeserializeOwned>(argument: &str, text: &str) -> napi::Result<T> {
    json::argument(argument, text).map_err(thrown)
}

/// Returns a value of the core as JSON.
pub(crate) fn text<T: serde::Serialize>(value: &T) -> napi::Result<String> {
    json::text(value).map_err(thrown)
}
