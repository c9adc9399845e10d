//! What a report cannot be, in words.

use firstbad::Error;

/// The argument that reports are given as.
pub(crate) const ARGUMENT: &str = "coverage";

/// The error for a place in a report; `found` is what stands there.
pub(crate) fn wrong(place: impl std::fmt::Display, found: &str, expected: impl Into<String>) -> Error {
    /// So much of what stands there is shown.
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
