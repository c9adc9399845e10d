//! Conversion of text ranges to lines.

use std::collections::BTreeMap;

use firstbad::Error;

use crate::limits::LAST_LINE;
use crate::lines::{Contents, CoveredLines};
use crate::wrong::wrong;

/// The covered ranges of all scripts.
#[derive(Debug, Default)]
pub(crate) struct Ranges {
    pub(crate) of: BTreeMap<String, Script16>,
}

/// The covered ranges of one script, in UTF-16 code units.
#[derive(Debug, Default)]
pub(crate) struct Script16 {
    /// The length of the script, and the report it comes from.
    pub(crate) end: u32,
    pub(crate) report: String,
    pub(crate) ran: Vec<(u32, u32)>,
}

impl Ranges {
    /// Converts the ranges to lines of the files.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if a file does not have the length it had when it ran, and the errors of `content`.
    pub(crate) fn lines(self, content: &mut Contents<'_>) -> Result<CoveredLines, Error> {
        let mut lines = CoveredLines::new();
        for (file, script) in self.of {
            let Some(content) = content(&file)? else { continue };
            let text = String::from_utf8_lossy(&content);
            let length = text.encode_utf16().count();
            // Node usually strips the byte order mark before it compiles.
            let bare = text.strip_prefix('\u{feff}').filter(|_| script.end as usize + 1 == length);
            let text = bare.unwrap_or(&text);
            if bare.is_none() && script.end as usize != length {
                let found = format!("{file} with {} code units, which has {length}", script.end);
                let expected = "a run with the files of the tip. For compiled files, use a report of lcov (c8 \
                                --reporter=lcov)";
                return Err(wrong(&script.report, &found, expected));
            }
            lines.insert(file, lines_of(text, script.ran));
        }
        Ok(lines)
    }
}

/// Returns the lines that have a covered character other than white space.
fn lines_of(text: &str, mut ran: Vec<(u32, u32)>) -> Vec<u32> {
    ran.sort_unstable();
    let mut parts = ran.into_iter().peekable();
    let mut lines: Vec<u32> = Vec::new();
    let (mut line, mut at) = (1, 0);
    for char in text.chars() {
        while parts.next_if(|&(_, end)| end <= at).is_some() {}
        if parts.peek().is_some_and(|&(start, _)| start <= at) && !char.is_whitespace() && lines.last() != Some(&line) {
            lines.push(line);
        }
        at += char.len_utf16() as u32;
        if char == '\n' && line < LAST_LINE {
            line += 1;
        }
    }
    lines
}
