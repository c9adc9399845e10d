//! Formats numbers.

/// Formats a number and its noun.
pub(crate) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Formats a remaining number, such as `6 of 60 changes left`.
pub(crate) fn left(left: usize, of: usize, noun: &str) -> String {
    format!("{left} of {} left", count(of as u64, noun))
}
