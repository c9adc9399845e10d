//! Failures of the machine, which say nothing about a revision.

use firstbad::Error;
use regex::{RegexSet, RegexSetBuilder};

/// The failures of the machine that every suite can have.
const KNOWN: [&str; 5] = [
    r"No space left on device|\bENOSPC\b",
    r"Connection reset by peer|\bECONNRESET\b",
    r"Temporary failure in name resolution|\bEAI_AGAIN\b",
    r"Cannot allocate memory|\bENOMEM\b|OutOfMemoryError|out of memory",
    r"(?i)\b(CUDA|NVIDIA|GPU) driver\b",
];

/// The expressions for failures of the machine.
#[derive(Debug)]
pub(super) struct Infra(RegexSet);

impl Infra {
    /// # Errors
    /// [`Error::InvalidArgument`] for `infra` if an expression is invalid.
    pub(super) fn new(own: &[String]) -> Result<Infra, Error> {
        let made = RegexSetBuilder::new(KNOWN.into_iter().chain(own.iter().map(String::as_str))).build();
        made.map(Infra).map_err(|error| {
            let words = error.to_string();
            let reason = words.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            Error::invalid("infra", own, format!("regular expressions ({reason})"))
        })
    }

    /// Returns whether a failure with this message is one of the machine.
    pub(super) fn matches(&self, kind: Option<&str>, message: &str) -> bool {
        self.0.is_match(message) || kind.is_some_and(|kind| self.0.is_match(kind))
    }
}
