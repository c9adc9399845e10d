//! A JSON object that maps each file to its covered lines.

use std::collections::BTreeMap;

use firstbad::Error;

use crate::collected::Collected;
use crate::json::{Line, parsed};

/// Reads a JSON object of lines.
///
/// # Errors
/// [`Error::InvalidArgument`] with the location, if the report is invalid.
pub(crate) fn read(name: &str, text: &str, collected: &mut Collected) -> Result<(), Error> {
    let files: BTreeMap<String, Vec<Line>> =
        parsed(name, text, "a JSON object: for each file the list of lines that ran")?;
    for (path, ran) in files {
        if let Some(lines) = collected.file(&path) {
            lines.extend(ran.iter().map(|line| line.0));
        }
    }
    Ok(())
}
