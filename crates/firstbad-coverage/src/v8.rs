//! V8's coverage, as Node writes it into the folder that `NODE_V8_COVERAGE` names: for each script, ranges of its text with how
//! often they ran, in UTF-16 code units. Which lines these are, the text says.

use std::collections::BTreeMap;

use firstbad::Error;
use serde::Deserialize;

use crate::json::parsed;
use crate::paths::decoded;
use crate::reports::{Contents, CoveredLines, LAST_LINE, Reports};
use crate::wrong::wrong;

#[derive(Deserialize)]
struct Report {
    result: Vec<Script>,
}

#[derive(Deserialize)]
struct Script {
    url: String,
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    ranges: Vec<Range>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
struct Range {
    start_offset: u32,
    end_offset: u32,
    count: u64,
}

/// What ran of the scripts of all reports.
#[derive(Debug, Default)]
pub(crate) struct Ranges {
    of: BTreeMap<String, Script16>,
}

/// What ran of a script, in UTF-16 code units.
#[derive(Debug, Default)]
struct Script16 {
    /// Where the text ends, and the report that says so.
    end: u32,
    report: String,
    ran: Vec<(u32, u32)>,
}

/// # Errors
/// [`Error::InvalidArgument`] with the place.
pub(crate) fn read(name: &str, text: &str, reports: &mut Reports) -> Result<(), Error> {
    let report: Report = parsed(name, text, "what Node writes into the folder of NODE_V8_COVERAGE")?;
    for script in report.result {
        // Node's own modules, and what `eval` ran.
        let Some(path) = script.url.strip_prefix("file://").map(decoded) else { continue };
        let Some(file) = reports.known(&path) else { continue };
        let mut ranges: Vec<Range> =
            script.functions.iter().flat_map(|function| function.ranges.iter().copied()).collect();
        ranges.retain(|range| range.start_offset < range.end_offset);
        let end = ranges.iter().map(|range| range.end_offset).max().unwrap_or_default();
        let known = reports.ranges().of.entry(file.clone()).or_default();
        if known.end != 0 && end != 0 && known.end != end {
            let found = format!("{file} with {end} code units, and with {} in {}", known.end, known.report);
            return Err(wrong(name, &found, "reports of one version of each file"));
        }
        if end != 0 {
            (known.end, known.report) = (end, name.to_owned());
            known.ran.extend(ran(ranges));
        }
    }
    Ok(())
}

/// The parts of a text that ran. Ranges lie in one another, and the innermost says what is true of its part.
fn ran(mut ranges: Vec<Range>) -> Vec<(u32, u32)> {
    // The order of equal ones stays: that of a function comes before that of its block.
    ranges.sort_by_key(|range| (range.start_offset, std::cmp::Reverse(range.end_offset)));
    let mut ran = Vec::new();
    let mut around: Vec<(u32, bool)> = Vec::new();
    let mut at = 0;
    let mut to = |at: &mut u32, end: u32, hit: bool| {
        if hit && *at < end {
            ran.push((*at, end));
        }
        *at = end.max(*at);
    };
    for range in ranges {
        while let Some((end, hit)) = around.pop_if(|(end, _)| *end <= range.start_offset) {
            to(&mut at, end, hit);
        }
        let outer = around.last().copied();
        to(&mut at, range.start_offset, outer.is_some_and(|(_, hit)| hit));
        let end = outer.map_or(range.end_offset, |(end, _)| end.min(range.end_offset));
        around.push((end, range.count > 0));
    }
    while let Some((end, hit)) = around.pop() {
        to(&mut at, end, hit);
    }
    ran
}

impl Ranges {
    /// The lines that ran, by the texts of the files.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a file that had another text when it ran; those of `content`.
    pub(crate) fn lines(self, content: &mut Contents<'_>) -> Result<CoveredLines, Error> {
        let mut lines = CoveredLines::new();
        for (file, script) in self.of {
            let Some(content) = content(&file)? else { continue };
            let text = String::from_utf8_lossy(&content);
            let length = text.encode_utf16().count();
            // Node takes the mark of the byte order away before it compiles, but not everywhere.
            let bare = text.strip_prefix('\u{feff}').filter(|_| script.end as usize + 1 == length);
            let text = bare.unwrap_or(&text);
            if bare.is_none() && script.end as usize != length {
                let found = format!("{file} with {} code units, which has {length}", script.end);
                let expected = "a run of the tip's files as they are; of files that a compiler made, \
                                a report of lcov (c8 --reporter=lcov)";
                return Err(wrong(&script.report, &found, expected));
            }
            lines.insert(file, lines_of(text, script.ran));
        }
        Ok(lines)
    }
}

/// The lines with something of these parts of a text that is no white space.
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
