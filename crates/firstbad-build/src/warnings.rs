//! Warnings and errors of the loaders.

use std::collections::BTreeSet;

use firstbad::{Error, printable};

/// Returns the error for a text that the loader cannot parse. `why` is the message of the parser.
pub(crate) fn unreadable(text: &str, expected: &str, why: impl std::fmt::Display) -> Error {
    const SHOWN: usize = 40;
    let mut start: String = text.trim_start().chars().take(SHOWN).collect();
    if start.len() < text.trim().len() {
        start.push_str("...");
    }
    Error::invalid("text", start, format!("{expected} ({why})"))
}

/// Returns `left out: 3 things: a, b, c`, or `None` if `names` is empty.
pub(crate) fn left_out(what: &str, names: &BTreeSet<String>) -> Option<String> {
    const SHOWN: usize = 3;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    (!names.is_empty()).then(|| printable(&format!("left out: {} {what}: {}{more}", names.len(), shown.join(", "))))
}
