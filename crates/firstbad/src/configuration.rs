//! Configurations from JSON, with errors that name the field.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Error;

/// A configuration as the bindings and snapshots have it.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the field, its value and what would be right.
pub(crate) fn from_json<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let message = error.inner().to_string();
        let given = path.split('.').next().and_then(|field| value.get(field));
        match (given, message.split_once(", expected ")) {
            (Some(given), Some((_, expected))) => {
                Error::InvalidArgument { argument: path, value: given.to_string(), expected: expected.to_owned() }
            }
            _ => Error::InvalidArgument { argument: "options".into(), value: path, expected: message },
        }
    })
}
