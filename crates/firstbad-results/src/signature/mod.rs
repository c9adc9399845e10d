//! Signatures of failures: text that is equal for the same failure of many tests and differs for another failure.
//!
//! A signature has the type of the exception, the first line of the message, and the file of the innermost frame in the tree. Text
//! that changes between runs and tests is replaced: numbers, quoted text, addresses, paths, and colors. Signatures order the work of
//! a search. They are never verdicts.

mod described;
mod failure;
mod frame;
mod normal;

use firstbad::printable;

use failure::Described;
pub use failure::Failure;

pub(crate) use described::described;
pub use normal::{comparable, without_colors};

use crate::limits::cut;
use crate::tree::Tree;

/// The maximum number of characters of a signature.
pub const LONGEST_SIGNATURE: usize = 200;

/// The longest line whose text is replaced, in bytes.
const LONGEST_LINE: usize = 2000;

/// Returns the signature of a failure, or `None` if nothing is known about the failure.
#[must_use]
pub fn signature(failure: &Failure, tree: &Tree<'_>) -> Option<String> {
    of(&described(failure.clone(), tree), tree)
}

/// Returns the signature of a described failure.
pub(crate) fn of(failure: &Described, tree: &Tree<'_>) -> Option<String> {
    let words = normal::without_details(cut(&first_line(&failure.message), LONGEST_LINE), tree.root());
    let kind = failure.kind.as_deref().unwrap_or_default();
    let mut signature = [kind, &words].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(": ");
    if signature.is_empty() {
        return None;
    }
    if let Some(frame) = &failure.frame {
        // The frame is at the end, so the words are cut first.
        let most = LONGEST_SIGNATURE.saturating_sub(frame.chars().count() + " in ".len()).max(LONGEST_SIGNATURE / 2);
        signature = signature.chars().take(most).collect();
        signature = format!("{} in {frame}", signature.trim_end());
    }
    let signature: String = printable(&signature).chars().take(LONGEST_SIGNATURE).collect();
    Some(signature.trim_end().to_owned())
}

/// Returns the first line of a message. A line that ends with a colon announces the next one.
fn first_line(message: &str) -> String {
    let mut lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    match lines.next().filter(|_| first.ends_with(':')) {
        Some(second) => format!("{first} {second}"),
        None => first.to_owned(),
    }
}
