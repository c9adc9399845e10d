//! Configurations, observations and events cross as JSON text.

use firstbad::Error;
use serde::de::DeserializeOwned;

use crate::error::thrown;

/// The value that `text` stands for; what is wrong with it becomes an invalid `argument` with the place named.
pub(crate) fn parsed<T: DeserializeOwned>(argument: &str, text: &str) -> napi::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        let message = error.inner().to_string();
        // serde_json ends its messages with a place in a text that the caller never sees.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(words, _)| words);
        let place = if path == "." { argument.to_owned() } else { format!("{argument}.{path}") };
        let (given, expected) = match message.split_once(", expected ") {
            Some((given, expected)) => {
                let prefixes = ["invalid type: ", "invalid value: ", "unknown "];
                let given = prefixes.iter().find_map(|prefix| given.strip_prefix(prefix)).unwrap_or(given);
                (given.to_owned(), expected.to_owned())
            }
            None => (text.to_owned(), message.to_owned()),
        };
        thrown(Error::InvalidArgument { argument: place, value: given, expected })
    })
}

/// The JSON text of a value of the core.
pub(crate) fn text<T: serde::Serialize>(value: &T) -> napi::Result<String> {
    written(value).map_err(thrown)
}

/// The same, for threads of the binding, where errors are the core's.
pub(crate) fn written<T: serde::Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Internal { message: error.to_string() })
}
