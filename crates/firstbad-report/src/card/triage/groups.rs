//! The culprits and the tests with other verdicts, as tables.

use super::letters::name;
use crate::card::element::{details, section};
use crate::card::figures::count;
use crate::triage::told::{Found, Group, TriageWriter};

/// The number of culprits, and of tests of one verdict.
const CULPRITS: usize = 50;
const TESTS: usize = 20;
/// The number of tests of a culprit that are listed.
const LISTED: usize = 50;
/// The number of rows that are shown at once, and of culprits.
const OPEN: usize = 20;
const OPEN_CULPRITS: usize = 10;

/// Returns the culprits as a table, with their evidence and their tests; empty if there are none.
pub(super) fn culprits<'a>(writer: &TriageWriter<'a>, found: &[Found<'a>]) -> String {
    if found.is_empty() {
        return String::new();
    }
    let mut rows: Vec<String> =
        found.iter().take(CULPRITS).enumerate().map(|(place, found)| culprit(writer, place, found)).collect();
    let folded = rows.split_off(rows.len().min(OPEN_CULPRITS));
    let omitted = match found.len().saturating_sub(CULPRITS) {
        0 => String::new(),
        more => format!("<p class=\"fb-m\">and {}</p>\n", count(more as u64, "more commit")),
    };
    let more = match folded.len() {
        0 => String::new(),
        more => details(&count(more as u64, "more culprit"), &(table(&folded) + &omitted)),
    };
    section("Culprits") + &table(&rows) + &more
}

fn table(rows: &[String]) -> String {
    format!(
        "<table class=\"fb-tr\"><thead><tr><th></th><th>Commit</th><th class=\"fb-n\">Broken</th><th class=\"fb-n\">Probability</th>\
         </tr></thead><tbody>{}</tbody></table>\n",
        rows.concat()
    )
}

fn culprit<'a>(writer: &TriageWriter<'a>, place: usize, found: &Found<'a>) -> String {
    let people = &found.people;
    let owners = (!people.owners.is_empty()).then(|| format!("owners: {}", people.owners.join(", ")));
    let author: Vec<&str> = people
        .author
        .iter()
        .chain(&people.co_authors)
        .chain(&people.request)
        .chain(&owners)
        .map(String::as_str)
        .collect();
    let mut lines = vec![format!("<b style=\"font-weight:600\">{}</b>", found.title)];
    let muted = |words: &str| format!("<span class=\"fb-m\">{words}</span>");
    lines.extend((!author.is_empty()).then(|| muted(&author.join(", "))));
    lines.push(muted(&found.evidence));
    lines.extend(found.failure.as_deref().map(muted));
    let ids: Vec<String> =
        found.of.tests.iter().take(LISTED).map(|id| format!("<li>{}</li>", writer.test(id))).collect();
    let more = match found.of.tests.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("<li>and {more} more</li>"),
    };
    let tests = details(&found.count, &format!("<ul class=\"fb-ul\">{}{more}</ul>", ids.concat()));
    format!(
        "<tr><td><i class=\"fb-f\">■</i> <b>{}</b></td><td class=\"fb-w\">{}{tests}</td><td class=\"fb-n\">{}</td>\
         <td class=\"fb-n\">{}</td></tr>",
        name(place),
        lines.join("<br>"),
        found.count,
        found.odds,
    )
}

/// Returns the tests with other verdicts as a table, folded where there are many; empty if there are none.
pub(super) fn others<'a>(writer: &TriageWriter<'a>, groups: &[Group<'a>]) -> String {
    let mut rows = Vec::new();
    for group in groups {
        for (place, test) in group.tests.iter().take(TESTS).enumerate() {
            let label = if place == 0 { group.label } else { "" };
            let note = writer.note(test);
            rows.push(format!(
                "<tr><td>{label}</td><td class=\"fb-w\">{}</td><td class=\"fb-w\">{note}</td></tr>",
                writer.test(&test.id)
            ));
        }
        let more = group.tests.len().saturating_sub(TESTS);
        if more > 0 {
            rows.push(format!("<tr><td></td><td class=\"fb-w\">and {more} more</td><td></td></tr>"));
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let table = format!(
        "<table class=\"fb-to\"><thead><tr><th>Verdict</th><th>Test</th><th>Detail</th></tr></thead><tbody>{}</tbody></table>\n",
        rows.concat()
    );
    let tests: usize = groups.iter().map(|group| group.tests.len()).sum();
    match rows.len() {
        ..=OPEN => section("Other verdicts") + &table,
        _ => details(&format!("Other verdicts of {}", count(tests as u64, "test")), &table),
    }
}
