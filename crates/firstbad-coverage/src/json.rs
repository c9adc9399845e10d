use firstbad::{Error, json};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _};

use crate::limits::LAST_LINE;
use crate::wrong::wrong;

/// Parses a JSON report, which can be at most 128 levels deep.
///
/// # Errors
/// [`Error::InvalidArgument`] with the member, line, and column, if the report is invalid.
pub(crate) fn parsed<T: DeserializeOwned>(name: &str, text: &str, expected: &str) -> Result<T, Error> {
    json::read(text).map_err(|misread| {
        let at = misread.place().map(|place| format!(", {place}"));
        wrong(format!("{name}{}", at.unwrap_or_default()), misread.reason(), expected)
    })
}

/// A line number from 1 to [`LAST_LINE`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line(pub(crate) u32);

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let line = u64::deserialize(reader)?;
        match u32::try_from(line) {
            Ok(line) if (1..=LAST_LINE).contains(&line) => Ok(Line(line)),
            _ => Err(D::Error::custom(format_args!("line {line} does not exist, because lines count from 1"))),
        }
    }
}
