//! A change in numbers as text for a terminal.

use firstbad::{ChangeReport, for_logs};

use super::next::steps;
use crate::change::text_plot;
use crate::change::told::{ChangeWriter, Fact, Part, Told};
use crate::render::text::step_lines;
use crate::style::Plain;
use crate::summary::Summary;
use crate::triage::told::Host;

/// The width of a label.
const ROOM: usize = 13;
/// The number of commits that are shown of a metric.
const STEPS: usize = 20;

/// Renders a change as lines of text.
pub(in crate::render) fn render(summary: &Summary, report: &ChangeReport) -> String {
    let writer = ChangeWriter::new(report, Host::of(summary), &Plain);
    let Told { parts, warnings, cost } = writer.told();
    let mut lines: Vec<String> = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        lines.extend((place > 0).then(String::new));
        // A line never starts with a text of another author.
        lines.push(part.headline());
        of(part, &mut lines);
    }
    // With several metrics, the cost does not belong to the last one.
    lines.extend((parts.len() > 1).then(String::new));
    lines.push(labelled(&("cost", cost)));
    lines.extend(warnings.into_iter().map(|warning| format!("warning: {warning}")));
    let plot = text_plot(report);
    let steps = step_lines(steps(summary, report, &parts));
    if !plot.is_empty() {
        lines.push(String::new());
        lines.extend(plot.lines().map(str::to_owned));
        lines.extend((!steps.is_empty()).then(String::new));
    }
    lines.extend(steps);
    for_logs(&lines.iter().map(|line| format!("{}\n", line.trim_end())).collect::<String>())
}

fn of(part: &Part, lines: &mut Vec<String>) {
    match &part.found[..] {
        [found] if !part.is_open() => {
            lines.extend((!found.author.is_empty()).then(|| labelled(&("author", found.author.clone()))));
            lines.extend(found.facts.iter().map(labelled));
        }
        several => {
            for found in several.iter().take(STEPS) {
                let author = if found.author.is_empty() { String::new() } else { format!("  ({})", found.author) };
                lines.push(format!("  {}{author}", found.title));
                lines.extend(found.facts.iter().map(|fact| format!("  {}", labelled(fact))));
            }
            let more = several.len().saturating_sub(STEPS);
            lines.extend((more > 0).then(|| format!("  and {more} more")));
        }
    }
    for (place, one) in part.candidates.iter().enumerate() {
        let label = if place == 0 { part.candidates_label() } else { "" };
        lines.push(labelled(&(label, format!("{}  {}", one.title, one.note))));
    }
    lines.extend(part.facts.iter().map(labelled));
}

fn labelled((label, words): &Fact) -> String {
    format!("  {label:<ROOM$}{words}")
}
