//! A change in numbers as commands that GitHub Actions turns into annotations.

use firstbad::{ChangeReport, Find, Status};

use crate::change::told::{ChangeWriter, Found, Part, Told};
use crate::render::annotations::command;
use crate::style::Plain;
use crate::summary::Summary;
use crate::triage::told::Host;

/// The number of annotations, because a step has a limit.
const MOST: usize = 10;

/// Renders one command for each commit that changed a number, and for each metric without such a commit.
pub(in crate::render) fn render(summary: &Summary, report: &ChangeReport) -> String {
    let Told { parts, .. } = ChangeWriter::new(report, Host::of(summary), &Plain).told();
    let commands = parts.iter().flat_map(|part| match part.found.is_empty() {
        false => part.found.iter().map(|found| culprit(report.find, part, found)).collect(),
        true => vec![other(part, report.status)],
    });
    commands.take(MOST).collect()
}

fn culprit(find: Find, part: &Part, found: &Found) -> String {
    let level = if find == Find::Fix { "notice" } else { "error" };
    let metric = part.of.metric.as_deref().map_or(String::new(), |name| format!("{}: ", crate::style::plain(name)));
    let title = format!("{metric}{} changed the number: {}", found.title, found.numbers);
    command(level, &[("title", &title)], &body(found.facts.iter().chain(&part.facts)))
}

fn other(part: &Part, status: Status) -> String {
    let level = match status {
        Status::Ambiguous | Status::Spread => "error",
        Status::Running | Status::NoChange => "notice",
        _ => "warning",
    };
    let headline = part.headline();
    let candidates = part.candidates.iter().map(|one| format!("- {}, {}", one.title, one.note));
    let mut lines: Vec<String> = candidates.collect();
    lines.extend((!part.facts.is_empty()).then(|| body(part.facts.iter())));
    match &lines[..] {
        [] => command(level, &[], &headline),
        lines => command(level, &[("title", &headline)], &lines.join("\n")),
    }
}

fn body<'a>(facts: impl Iterator<Item = &'a (&'static str, String)>) -> String {
    facts.map(|(label, words)| format!("{label}: {words}")).collect::<Vec<_>>().join("\n")
}
