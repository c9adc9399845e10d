//! The style of cards for sentences.

use crate::card::element::{code, id, text};
use crate::draw::escaped;
use crate::style::Style;

/// Sentences as HTML.
pub(super) struct Html;

impl Style for Html {
    fn code(&self, words: &str) -> String {
        code(words)
    }

    fn revision(&self, revision: &str) -> String {
        id(revision)
    }

    fn words(&self, words: &str) -> String {
        text(words)
    }

    fn sentence(&self, words: &str) -> String {
        escaped(words)
    }

    fn link(&self, page: &str) -> String {
        text(page)
    }

    fn titled_link(&self, title: &str, _: &str) -> String {
        text(title)
    }
}
