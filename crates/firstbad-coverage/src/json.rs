//! Reports that are JSON.

use firstbad::Error;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use crate::limits::LAST_LINE;
use crate::wrong::wrong;

/// A report as JSON, which may be as deep as the reader of JSON allows: 128.
///
/// # Errors
/// [`Error::InvalidArgument`] with the member, the line and the column.
pub(crate) fn parsed<'a, T: Deserialize<'a>>(name: &str, text: &'a str, expected: &str) -> Result<T, Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut reader).and_then(|read| {
        reader
            .end()
            .map(|()| read)
            .map_err(|error| serde_path_to_error::Error::new(serde_path_to_error::Track::new().path(), error))
    });
    read.map_err(|error| {
        let at = Some(error.path().to_string()).filter(|path| path != ".").map(|path| format!(", {path}"));
        let place = format!("{name}{}", at.unwrap_or_default());
        wrong(place, &error.inner().to_string(), expected)
    })
}

/// The number of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line(pub(crate) u32);

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let line = u64::deserialize(reader)?;
        match u32::try_from(line) {
            Ok(line) if (1..=LAST_LINE).contains(&line) => Ok(Line(line)),
            _ => Err(D::Error::custom(format_args!("there is no line {line}; they count from 1"))),
        }
    }
}
