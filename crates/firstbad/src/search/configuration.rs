//! Configurations from JSON, with errors that name the field.

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;

use crate::error::Error;

/// The name under which a binding hands over what has no form in JSON, as text: in a list of one object, which no field takes.
const OTHER: &str = "no JSON";

/// A configuration as the bindings and snapshots have it.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the field, its value and what would be right.
pub(crate) fn from_json<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let message = error.inner().to_string();
        let mut given = Some(value);
        let mut argument = String::new();
        for segment in error.path() {
            if let Segment::Map { key } = segment {
                argument = if argument.is_empty() { key.clone() } else { format!("{argument}[{key:?}]") };
                given = given.and_then(|value| value.get(key));
            }
        }
        let expected = message.split_once(", expected ").map_or(message.as_str(), |(_, expected)| expected);
        match (given, argument.is_empty()) {
            (Some(given), false) => {
                Error::InvalidArgument { argument, value: written(given), expected: in_words(expected) }
            }
            (_, true) => Error::InvalidArgument { argument: "options".into(), value: shown(value), expected: message },
            (None, false) => Error::InvalidArgument { argument, value: "nothing".into(), expected: in_words(expected) },
        }
    })
}

/// What serde expects, for people who do not know Rust.
fn in_words(expected: &str) -> String {
    match expected {
        "f64" | "f32" => "a number",
        "u32" | "u64" | "usize" => "a whole number, 0 or above",
        "string or map" | "variant identifier" => "one of its names, as a text",
        "a sequence" => "a list",
        "a map" => "an object",
        other => other,
    }
    .to_owned()
}

/// A value as who gave it writes it.
fn written(value: &Value) -> String {
    match &value[0][OTHER] {
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    }
}

/// A value, but not all of a long one.
fn shown(value: &Value) -> String {
    const MOST: usize = 80;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
