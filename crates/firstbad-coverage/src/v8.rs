//! V8 coverage, as Node writes it for `NODE_V8_COVERAGE`: for each script, ranges of UTF-16 code units with their counts. The
//! text of the script is needed to convert them to lines.

use firstbad::Error;
use serde::Deserialize;

use crate::collected::Collected;
use crate::json::parsed;
use crate::paths::decoded;
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

/// Reads a V8 report.
///
/// # Errors
/// [`Error::InvalidArgument`] with the location, if the report is invalid.
pub(crate) fn read(name: &str, text: &str, collected: &mut Collected) -> Result<(), Error> {
    let report: Report = parsed(name, text, "the files in the folder of NODE_V8_COVERAGE")?;
    for script in report.result {
        // Skip the modules of Node and code from `eval`.
        let Some(path) = script.url.strip_prefix("file://").map(decoded) else { continue };
        let Some(file) = collected.known(&path) else { continue };
        let mut ranges: Vec<Range> =
            script.functions.iter().flat_map(|function| function.ranges.iter().copied()).collect();
        ranges.retain(|range| range.start_offset < range.end_offset);
        let end = ranges.iter().map(|range| range.end_offset).max().unwrap_or_default();
        let known = collected.ranges.of.entry(file.clone()).or_default();
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

/// Returns the parts of the text that ran. Ranges are nested, and the innermost range decides.
fn ran(mut ranges: Vec<Range>) -> Vec<(u32, u32)> {
    // The sort is stable: a function stays before its block of the same range.
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
