//! Errors about reports.

use firstbad::Error;

/// The argument that the reports come from.
pub(crate) const ARGUMENT: &str = "coverage";

/// Returns the error for invalid content at a place in a report.
pub(crate) fn wrong(place: impl std::fmt::Display, found: &str, expected: impl Into<String>) -> Error {
    /// How much of the content the error shows, in bytes.
    const SHOWN: usize = 80;
    let mut shown: String = found.chars().take(SHOWN).collect();
    if shown.len() < found.len() {
        shown.push_str("...");
    }
    Error::InvalidArgument {
        argument: ARGUMENT.to_owned(),
        value: format!("{place}: {shown:?}"),
        expected: expected.into(),
    }
}
