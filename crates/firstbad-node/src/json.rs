//! Configurations, observations and events cross as JSON text.

use firstbad::{Error, json};
use serde::de::DeserializeOwned;

use crate::error::thrown;

/// The value that `text` stands for; what is wrong with it becomes an invalid `argument` with the place named.
pub(crate) fn parsed<T: DeserializeOwned>(argument: &str, text: &str) -> napi::Result<T> {
    json::argument(argument, text).map_err(thrown)
}

/// The JSON text of a value of the core.
pub(crate) fn text<T: serde::Serialize>(value: &T) -> napi::Result<String> {
    written(value).map_err(thrown)
}

/// The same, for threads of the binding, where errors are the core's.
pub(crate) fn written<T: serde::Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Internal { message: error.to_string() })
}
