//! Lines of a report with their numbers.

/// Returns the lines with their numbers, counted from 1, without line breaks.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(number, line)| (number + 1, line))
}

/// Returns whether the last line of a text was cut.
pub(super) fn is_cut(text: &str) -> bool {
    !text.is_empty() && !text.ends_with('\n')
}
