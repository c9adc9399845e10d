//! `coverage json` of coverage.py.

use std::collections::BTreeMap;

use firstbad::Error;
use serde::Deserialize;

use crate::json::{Line, parsed};
use crate::reports::Reports;

#[derive(Deserialize)]
struct Report {
    files: BTreeMap<String, File>,
}

#[derive(Deserialize)]
struct File {
    executed_lines: Vec<Line>,
}

/// # Errors
/// [`Error::InvalidArgument`] with the place.
pub(crate) fn read(name: &str, text: &str, reports: &mut Reports) -> Result<(), Error> {
    let report: Report = parsed(name, text, "what `coverage json` writes: for each of its files its executed_lines")?;
    for (path, file) in report.files {
        if let Some(lines) = reports.file(&path) {
            lines.extend(file.executed_lines.iter().map(|line| line.0));
        }
    }
    Ok(())
}
