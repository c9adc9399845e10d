//! Options cross as JSON text.

use firstbad::Error;
use serde::Serialize;
use serde_json::Value;

/// The options that `text` stands for.
pub(crate) fn parsed(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|error| Error::invalid("options", text, error.to_string()))
}

/// A configuration of the core as options.
pub(crate) fn text<T: Serialize>(configuration: &T) -> Result<String, Error> {
    serde_json::to_string(configuration).map_err(|error| Error::invalid("options", error, "what has a JSON form"))
}
