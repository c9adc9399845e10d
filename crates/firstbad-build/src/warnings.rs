//! What a loader could not use, in words.

use std::collections::BTreeSet;

use firstbad::{Error, printable};

/// The error for a text that is not what the loader reads; `why` is the parser's word on it.
pub(crate) fn unreadable(text: &str, expected: &str, why: impl std::fmt::Display) -> Error {
    const SHOWN: usize = 40;
    let mut start: String = text.trim_start().chars().take(SHOWN).collect();
    if start.len() < text.trim().len() {
        start.push_str("...");
    }
    Error::invalid("text", start, format!("{expected} ({why})"))
}

/// `3 things are left out: a, b, c`, `None` if there are none.
pub(crate) fn left_out(what: &str, names: &BTreeSet<String>) -> Option<String> {
    const SHOWN: usize = 3;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    (!names.is_empty()).then(|| printable(&format!("left out: {} {what}: {}{more}", names.len(), shown.join(", "))))
}
