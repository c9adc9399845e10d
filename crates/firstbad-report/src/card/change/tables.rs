//! The tables of a change in numbers: commits, suspects, and measured revisions.

use firstbad::metric::{MetricChange, SeriesPoint, amount};

use crate::card::context::Context;
use crate::card::culprit::{cells, table};
use crate::card::element::{Bar, capital, details, id, section, text};
use crate::card::figures::{count, number, percent};
use crate::change::letter;
use crate::change::told::{Found, Part};

/// The number of commits.
const STEPS: usize = 50;
/// The number of listed revisions, and of those that are not folded.
const MOST: usize = 100;
const OPEN: usize = 8;

/// Returns the commits that changed the number as a table, if there are several.
pub(super) fn found(part: &Part) -> String {
    if part.found.len() < 2 {
        return String::new();
    }
    let row = |(place, found): (usize, &Found)| {
        let muted = |words: &str| format!("<br><span class=\"fb-m\">{words}</span>");
        let author = if found.author.is_empty() { String::new() } else { muted(&found.author) };
        let facts = found.facts.iter().filter(|(label, _)| ["before", "after", "share"].contains(label));
        let facts: Vec<String> = facts.map(|(label, words)| format!("{label} {words}")).collect();
        format!(
            "<tr><td><i class=\"fb-f\">■</i> <b>{}</b></td><td class=\"fb-w\"><b style=\"font-weight:600\">{}</b>{author}{}{}</td>\
             <td class=\"fb-n\">{}</td></tr>",
            letter(&part.of, place),
            found.title,
            muted(&found.numbers),
            muted(&capital(&facts.join(", "))),
            if part.of.exact { String::new() } else { percent(found.of.probability) }
        )
    };
    let rows: Vec<String> = part.found.iter().take(STEPS).enumerate().map(row).collect();
    let more = match part.found.len().saturating_sub(STEPS) {
        0 => String::new(),
        more => format!("<p class=\"fb-m\">and {}</p>\n", count(more as u64, "more commit")),
    };
    section("Commits that changed the number, the largest change first")
        + &format!(
            "<table class=\"fb-tr\"><thead><tr><th></th><th>Commit</th><th class=\"fb-n\">{}</th></tr></thead>\
             <tbody>{}</tbody></table>{more}\n",
            if part.of.exact { "" } else { "Probability" },
            rows.concat()
        )
}

/// Returns the remaining suspects as a table with bars.
pub(super) fn candidates(part: &Part, context: &Context) -> String {
    if part.candidates.is_empty() {
        return String::new();
    }
    let rows: Vec<String> = part
        .candidates
        .iter()
        .map(|one| {
            let subject = text(context.subject(&one.revision).unwrap_or_default());
            let none = if one.has_number { "" } else { " <span class=\"fb-m\">(no number)</span>" };
            let who = format!("○ {}", id(&one.revision));
            cells(&who, &format!("{subject}{none}"), one.probability, Bar::Other, false)
        })
        .collect();
    section("Most likely suspects") + &table(&rows)
}

/// Returns the measured revisions as a table, folded if there are many.
pub(super) fn measurements(of: &MetricChange, context: &Context) -> String {
    if of.series.is_empty() {
        return String::new();
    }
    let has_subjects = of.series.iter().any(|point| context.subject(&point.revision).is_some());
    let row = |point: &SeriesPoint| {
        let unit = of.unit.as_deref();
        let low = point.values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = point.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let range = match point.values.len() {
            0 | 1 => String::new(),
            _ => text(&format!("{} to {}", amount(low, unit), amount(high, unit))),
        };
        let least = if point.censored > 0 { " class=\"fb-n\" title=\"with timeouts\"" } else { " class=\"fb-n\"" };
        let subject = context.subject(&point.revision).unwrap_or_default();
        let subject = if has_subjects { format!("<td class=\"fb-w\">{}</td>", text(subject)) } else { String::new() };
        let is_step = of.steps.iter().any(|step| step.commit == point.revision);
        let bold = if is_step { " class=\"fb-b\"" } else { "" };
        let fills = if has_subjects { "" } else { " class=\"fb-w\"" };
        format!(
            "<tr{bold}><td{fills}>{}</td>{subject}<td class=\"fb-n\">{}</td><td{least}>{}</td><td class=\"fb-n fb-q\">{range}</td></tr>",
            id(&point.revision),
            number(point.values.len() as u64),
            text(&amount(point.median, unit))
        )
    };
    let rows: Vec<String> = of.series.iter().take(MOST).map(row).collect();
    let subject = if has_subjects { "<th>Subject</th>" } else { "" };
    let table = format!(
        "<table><thead><tr><th>Commit</th>{subject}<th class=\"fb-n\">Runs</th><th class=\"fb-n\">Median</th>\
         <th class=\"fb-n fb-q\">Range</th></tr></thead><tbody>{}</tbody></table>\n",
        rows.concat()
    );
    match of.series.len() {
        ..=OPEN => section("Measured revisions, oldest first") + &table,
        all if all <= MOST => details(&format!("All {}, oldest first", count(all as u64, "measured revision")), &table),
        all => {
            details(&format!("The first {MOST} of {}, oldest first", count(all as u64, "measured revision")), &table)
        }
    }
}
