//! A triage as Markdown for an issue, a comment, or a job summary.

use firstbad::{TriageCulprit, TriageReport, capital, for_logs};

use super::next::steps;
use crate::quantities::count;
use crate::render::markdown::step_list;
use crate::style::Markdown;
use crate::summary::Summary;
use crate::triage::told::{Found, Group, Host, Told, TriageWriter};

/// The number of culprits, and of tests of one verdict besides those of culprits.
const CULPRITS: usize = 50;
const OF_GROUP: usize = 20;
/// The number of bytes of all listed tests, because comments have a limit.
const LISTED: usize = 30_000;

/// Renders a triage as Markdown.
///
/// Each culprit has a heading and its fingerprint in a comment, so that a bot finds its own issue again.
pub(in crate::render) fn render(summary: &Summary, report: &TriageReport) -> String {
    let writer = TriageWriter::new(report, Host::of(summary), &Markdown { table: false });
    let cells = TriageWriter::new(report, Host::of(summary), &Markdown { table: true });
    let Told { headline, culprits, groups, warnings, cost } = writer.told();
    let mut parts = vec![format!("### {}\n", capital(&headline))];
    parts.extend((!culprits.is_empty()).then(|| table(&cells)));
    let mut room = LISTED;
    parts.extend(culprits.iter().take(CULPRITS).map(|found| culprit(&writer, found, &mut room)));
    let omitted = culprits.len().saturating_sub(CULPRITS);
    parts.extend((omitted > 0).then(|| format!("{} omitted.\n", count(omitted, "more commit"))));
    parts.extend((!groups.is_empty()).then(|| others(&cells, &groups)));
    parts.extend(warnings.iter().map(|warning| format!("- **warning**: {warning}\n")));
    let steps = step_list(steps(summary, report));
    parts.extend((!steps.is_empty()).then_some(steps));
    parts.push(format!("<sub>firstbad: {cost}</sub>\n"));
    for_logs(&parts.join("\n"))
}

/// Returns a table with one row for each culprit.
fn table(cells: &TriageWriter<'_>) -> String {
    let row = |found: &Found<'_>| {
        let people: Vec<&str> = found.people.author.iter().chain(&found.people.request).map(String::as_str).collect();
        format!("| {} | {} | {} | {} |\n", found.title, people.join(", "), found.count, found.odds)
    };
    let rows: String = cells.told().culprits.iter().take(CULPRITS).map(row).collect();
    format!("| Culprit | Author | Broken | Probability |\n| --- | --- | --- | --- |\n{rows}")
}

fn culprit<'a>(writer: &TriageWriter<'a>, found: &Found<'a>, room: &mut usize) -> String {
    let mut text = format!("#### {}\n\n{}", found.title, comment(found.of));
    let mut detail = |label: &str, words: &str| text.push_str(&format!("- **{label}**: {words}\n"));
    let people = &found.people;
    let author: Vec<&str> = people.author.iter().chain(&people.request).map(String::as_str).collect();
    for (label, words) in [
        ("author", author.join(", ")),
        ("co-authors", people.co_authors.join(", ")),
        ("owners", people.owners.join(", ")),
        ("evidence", format!("{}; {}", found.evidence, found.odds)),
        ("failure", found.failure.clone().unwrap_or_default()),
    ] {
        if !words.is_empty() {
            detail(label, &words);
        }
    }
    text.push_str(&folded(&found.count, &listed(writer, &found.of.tests, room)));
    text
}

/// Returns the fingerprint in a comment. The fingerprint of a report that was read can be any text.
fn comment(culprit: &TriageCulprit) -> String {
    let is_digest = culprit.fingerprint.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_digest { format!("<!-- firstbad:fingerprint={} -->\n\n", culprit.fingerprint) } else { String::new() }
}

/// Returns a list of tests, as far as there is room.
fn listed(writer: &TriageWriter<'_>, ids: &[String], room: &mut usize) -> String {
    let mut text = String::new();
    for (place, id) in ids.iter().enumerate() {
        let line = format!("- {}\n", writer.test(id));
        if line.len() > *room {
            text.push_str(&format!("- and {} more\n", ids.len() - place));
            break;
        }
        *room -= line.len();
        text.push_str(&line);
    }
    text
}

fn folded(summary: &str, content: &str) -> String {
    format!("\n<details>\n<summary>{summary}</summary>\n\n{content}\n</details>\n")
}

/// Returns the tests with other verdicts as a table.
fn others<'a>(cells: &TriageWriter<'a>, groups: &[Group<'a>]) -> String {
    let mut rows = "| Verdict | Test | Detail |\n| --- | --- | --- |\n".to_owned();
    for group in groups {
        for test in group.tests.iter().take(OF_GROUP) {
            rows.push_str(&format!("| {} | {} | {} |\n", group.label, cells.test(&test.id), cells.note(test)));
        }
        let more = group.tests.len().saturating_sub(OF_GROUP);
        if more > 0 {
            rows.push_str(&format!("| {} | and {more} more | |\n", group.label));
        }
    }
    let shown: usize = groups.iter().map(|group| group.tests.len().min(OF_GROUP)).sum();
    let all: usize = groups.iter().map(|group| group.tests.len()).sum();
    let heading = "#### Other verdicts\n";
    if shown <= OF_GROUP {
        format!("{heading}\n{rows}")
    } else {
        heading.to_owned() + &folded(&count(all, "test"), &rows)
    }
}
