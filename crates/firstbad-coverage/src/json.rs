//! Reports that are JSON.

use firstbad::{Error, json};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _};

use crate::limits::LAST_LINE;
use crate::wrong::wrong;

/// A report as JSON, which may be as deep as the reader of JSON allows: 128.
///
/// # Errors
/// [`Error::InvalidArgument`] with the member, the line and the column.
pub(crate) fn parsed<T: DeserializeOwned>(name: &str, text: &str, expected: &str) -> Result<T, Error> {
    json::read(text).map_err(|misread| {
        let at = misread.place().map(|place| format!(", {place}"));
        wrong(format!("{name}{}", at.unwrap_or_default()), misread.reason(), expected)
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
