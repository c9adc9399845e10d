//! Configurations, observations and events cross as JSON text.

use firstbad::json;
use serde::de::DeserializeOwned;

use crate::error::thrown;

/// The value that `text` stands for; what is wrong with it becomes an invalid `argument` with the place named.
pub(crate) fn parsed<T: DeserializeOwned>(argument: &str, text: &str) -> napi::Result<T> {
    json::argument(argument, text).map_err(thrown)
}

/// The JSON text of a value of the core.
pub(crate) fn text<T: serde::Serialize>(value: &T) -> napi::Result<String> {
    json::text(value).map_err(thrown)
}
