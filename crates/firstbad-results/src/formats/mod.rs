//! One module for each format.

pub(crate) mod go;
pub(crate) mod jest;
pub(crate) mod jsonl;
pub(crate) mod junit;
mod junit_case;
pub(crate) mod junit_properties;
pub(crate) mod libtest;
mod lines;
pub(crate) mod mocha;
pub(crate) mod tap;
mod yaml;

use crate::case::Case;
use crate::error::ResultsError;
use crate::format::Format;
use crate::tree::is_absolute;

/// Returns the error for invalid JSON at a line of the report.
fn json_error(format: Format, before: usize, error: &serde_json::Error) -> ResultsError {
    let words = error.to_string();
    let found = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words).to_owned();
    ResultsError::Syntax { format, line: before + error.line(), found }
}

/// Returns whether a case has the name of a script, by which Node names a file that could not be run.
fn names_file(case: &Case) -> bool {
    let is_end = |file: &String| file.strip_suffix(case.name.as_str()).is_some_and(|rest| rest.ends_with(['/', '\\']));
    is_script(&case.name) && (is_absolute(&case.name) || case.file.as_ref().is_some_and(is_end))
}

fn is_script(name: &str) -> bool {
    let ends = [".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx"];
    ends.iter().any(|end| name.ends_with(end))
}
