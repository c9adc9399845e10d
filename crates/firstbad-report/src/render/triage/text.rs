//! A triage as text for a terminal.

use firstbad::{TestVerdict, TriageReport, capital, for_logs};

use super::next::steps;
use crate::render::text::step_lines;
use crate::style::Plain;
use crate::summary::Summary;
use crate::triage::told::{Found, Group, Host, Told, TriageWriter};

/// The width of a label.
const ROOM: usize = 15;
/// The width of the longest titles and ids that are aligned.
const WIDEST: usize = 50;
/// The number of tests that are shown of a culprit, and of a group.
const OF_CULPRIT: usize = 3;
const OF_GROUP: usize = 5;

/// Renders a triage as lines of text.
pub(in crate::render) fn render(summary: &Summary, report: &TriageReport) -> String {
    let writer = TriageWriter::new(report, Host::of(summary), &Plain);
    let Told { headline, culprits, groups, warnings, cost } = writer.told();
    // A line never starts with a text of another author.
    let mut lines = vec![capital(&headline), String::new()];
    let titles: Vec<String> = culprits.iter().map(title).collect();
    let width = widest(titles.iter().map(String::as_str));
    for (found, title) in culprits.iter().zip(&titles) {
        lines.push(format!("  {title:<width$}  {}", found.count));
        culprit(&writer, found, &mut lines);
        lines.push(String::new());
    }
    lines.extend(group_lines(&writer, &groups));
    lines.push(labelled("cost", &cost));
    lines.extend(warnings.into_iter().map(|warning| format!("warning: {warning}")));
    lines.extend(step_lines(steps(summary, writer.report)));
    for_logs(&lines.iter().map(|line| format!("{}\n", line.trim_end())).collect::<String>())
}

fn title(found: &Found<'_>) -> String {
    let people: Vec<&str> = found.people.author.iter().chain(&found.people.request).map(String::as_str).collect();
    if people.is_empty() { found.title.clone() } else { format!("{}  ({})", found.title, people.join(", ")) }
}

fn culprit<'a>(writer: &TriageWriter<'a>, found: &Found<'a>, lines: &mut Vec<String>) {
    let mut detail = |label: &str, words: &str| lines.push(format!("    {label:<0$}{words}", ROOM - 2));
    detail("evidence", &format!("{}; {}", found.evidence, found.odds));
    if let Some(failure) = &found.failure {
        detail("failure", failure);
    }
    for (label, names) in [("co-authors", &found.people.co_authors), ("owners", &found.people.owners)] {
        if !names.is_empty() {
            detail(label, &names.join(", "));
        }
    }
    let tests: Vec<&String> = found.of.tests.iter().collect();
    for (place, id) in tests.iter().take(OF_CULPRIT).enumerate() {
        detail(if place == 0 { "tests" } else { "" }, &(writer.test(id) + &more(tests.len(), place, OF_CULPRIT)));
    }
}

/// Returns one line for each of the first tests of each group. The details are aligned.
fn group_lines<'a>(writer: &TriageWriter<'a>, groups: &[Group<'a>]) -> Vec<String> {
    let row = |test: &&'a TestVerdict| (writer.test(&test.id), writer.note(test));
    let shown: Vec<Vec<(String, String)>> =
        groups.iter().map(|group| group.tests.iter().take(OF_GROUP).map(row).collect()).collect();
    let width = widest(shown.iter().flatten().filter(|(_, note)| !note.is_empty()).map(|(id, _)| id.as_str()));
    let mut lines = Vec::new();
    for (group, rows) in groups.iter().zip(&shown) {
        for (place, (id, note)) in rows.iter().enumerate() {
            let label = if place == 0 { group.label } else { "" };
            let words = if note.is_empty() { id.clone() } else { format!("{id:<width$}  {note}") };
            lines.push(labelled(label, &(words + &more(group.tests.len(), place, OF_GROUP))));
        }
    }
    lines
}

/// Returns the number of omitted tests, after the last of the shown ones.
fn more(all: usize, place: usize, shown: usize) -> String {
    if place + 1 == shown && all > shown { format!(" and {} more", all - shown) } else { String::new() }
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or_default().min(WIDEST)
}

fn labelled(label: &str, words: &str) -> String {
    format!("  {label:<ROOM$}{words}")
}
