//! V8's coverage, as Node writes it into the folder that `NODE_V8_COVERAGE` names: for each script, ranges of its text with how
//! often they ran, in UTF-16 code units. Which lines these are, the text says.

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

/// # Errors
/// [`Error::InvalidArgument`] with the place.
pub(crate) fn read(name: &str, text: &str, collected: &mut Collected) -> Result<(), Error> {
    let report: Report = parsed(name, text, "what Node writes into the folder of NODE_V8_COVERAGE")?;
    for script in report.result {
        // Node's own modules, and what `eval` ran.
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
