//! The lines of a patch, one after another, with their numbers.

use std::ops::Range;

use crate::error::Error;

/// A place between two lines of a text.
#[derive(Debug, Clone)]
pub(super) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Scanner { text, at: 0, line: 1 }
    }

    /// Where the next line begins, in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// All of the text.
    pub(super) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The next line with its line end; nothing at the end of the text.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
        Some(&rest[..end])
    }

    /// Goes past the next line; its place in the text.
    pub(super) fn take(&mut self) -> Range<usize> {
        let start = self.at;
        self.at += self.peek().map_or(0, <[u8]>::len);
        self.line += usize::from(self.at > start);
        start..self.at
    }

    /// Whether the next line begins like this.
    pub(super) fn sees(&self, beginning: &[u8]) -> bool {
        self.text[self.at..].starts_with(beginning)
    }

    /// The error that the next line is.
    pub(super) fn refuse(&self, message: impl Into<String>) -> Error {
        Error::PatchSyntax { line: self.line, message: message.into() }
    }
}

/// A line without its line end.
pub(super) fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A line for an error message: lossy, and not longer than a message may be.
pub(super) fn shown(line: &[u8]) -> String {
    const MOST: usize = 60;
    let text = String::from_utf8_lossy(trimmed(line));
    if text.chars().count() <= MOST {
        return format!("{text:?}");
    }
    format!("{:?}...", text.chars().take(MOST).collect::<String>())
}
