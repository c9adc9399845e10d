//! Reports of `coverage json` (coverage.py).

use std::collections::BTreeMap;

use firstbad::Error;
use serde::Deserialize;

use crate::collected::Collected;
use crate::json::{Line, parsed};

#[derive(Deserialize)]
struct Report {
    files: BTreeMap<String, File>,
}

#[derive(Deserialize)]
struct File {
    executed_lines: Vec<Line>,
}

/// Reads a report of coverage.py.
///
/// # Errors
/// [`Error::InvalidArgument`] with the location, if the report is invalid.
pub(crate) fn read(name: &str, text: &str, collected: &mut Collected) -> Result<(), Error> {
    let report: Report = parsed(name, text, "the output of `coverage json`, with executed_lines for each file")?;
    for (path, file) in report.files {
        if let Some(lines) = collected.file(&path) {
            lines.extend(file.executed_lines.iter().map(|line| line.0));
        }
    }
    Ok(())
}
