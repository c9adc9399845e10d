//! A JSON object: for each file the lines that ran.

use std::collections::BTreeMap;

use firstbad::Error;

use crate::collected::Collected;
use crate::json::{Line, parsed};

/// # Errors
/// [`Error::InvalidArgument`] with the place.
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
