//! The names of culprits.

use crate::draw::letter;

/// Returns the letter of a culprit, or its number if there are more culprits than letters.
pub(super) fn name(place: usize) -> String {
    letter(place).map_or_else(|| (place + 1).to_string(), String::from)
}
