//! Files with weights, and with culprits to learn them from.

use std::path::Path;

use firstbad::suspicion::ContentWeights;
use firstbad::{Error, json};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::input;

/// The weights in a file: what `firstbad fit --json` prints, or the weights in it alone.
///
/// # Errors
/// [`Error::Io`]; [`Error::InvalidArgument`] for a file that has none.
pub(crate) fn read(path: &Path) -> Result<ContentWeights, Error> {
    let expected = "weights, as firstbad fit --json prints them";
    let mut given: Map<String, Value> = json(path, "--weights", expected)?;
    let weights = given.remove("weights").unwrap_or(Value::Object(given));
    json::read(&weights.to_string()).map_err(|error| refused(path, "--weights", expected, &error))
}

/// What a JSON file has.
///
/// # Errors
/// [`Error::Io`]; [`Error::InvalidArgument`] that names the argument, for another file than the one expected.
pub(crate) fn json<T: DeserializeOwned>(path: &Path, argument: &str, expected: &str) -> Result<T, Error> {
    serde_json::from_slice(&input::read(path)?).map_err(|error| refused(path, argument, expected, &error))
}

fn refused(path: &Path, argument: &str, expected: &str, error: &dyn std::fmt::Display) -> Error {
    Error::invalid(argument, path.display().to_string(), format!("a JSON file with {expected} ({error})"))
}
