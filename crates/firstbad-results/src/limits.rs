//! Limits that hold before memory is allocated.

/// The largest report in bytes.
pub const LARGEST_REPORT: usize = 128 << 20;

/// The largest number of test cases in one report, with repeated ones.
pub const MOST_CASES: usize = 500_000;

/// The deepest nesting of elements, subtests, and suites.
pub const DEEPEST: usize = 200;

/// The longest id of a test in bytes. No argument of a command can be much longer.
pub const LONGEST_ID: usize = 16 << 10;

/// The most bytes of all ids and file names of one report.
pub const MOST_IDS: usize = 256 << 20;

/// The longest message of a failure in bytes. Longer messages are cut.
pub const LONGEST_MESSAGE: usize = 4000;

/// The longest text of a failure in bytes that is searched for a message and a frame. The text is not kept.
pub(crate) const LONGEST_TEXT: usize = 64 << 10;

/// Cuts a text to a number of bytes, at the start of a character.
pub(crate) fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or_default()]
}

/// Appends a part to a text until the text has `most` bytes.
pub(crate) fn append(text: &mut String, part: &str, most: usize) {
    text.push_str(cut(part, most.saturating_sub(text.len())));
}
