//! A scanner over the lines of a patch.

use std::ops::Range;

use crate::error::Error;

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

    /// The offset of the next line in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Returns the next line with its line end, or `None` at the end.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
        Some(&rest[..end])
    }

    /// Consumes the next line and returns its range.
    pub(super) fn take(&mut self) -> Range<usize> {
        let start = self.at;
        self.at += self.peek().map_or(0, <[u8]>::len);
        self.line += usize::from(self.at > start);
        start..self.at
    }

    pub(super) fn sees(&self, beginning: &[u8]) -> bool {
        self.text[self.at..].starts_with(beginning)
    }

    /// Returns a syntax error at the next line.
    pub(super) fn refuse(&self, message: impl Into<String>) -> Error {
        Error::PatchSyntax { line: self.line, message: message.into() }
    }
}

/// Removes the line end.
pub(super) fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns a line for an error message: lossy and shortened.
pub(super) fn shown(line: &[u8]) -> String {
    const MOST: usize = 60;
    let text = String::from_utf8_lossy(trimmed(line));
    if text.chars().count() <= MOST {
        return format!("{text:?}");
    }
    format!("{:?}...", text.chars().take(MOST).collect::<String>())
}
