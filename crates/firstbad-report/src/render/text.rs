//! The result as text for a terminal.

use firstbad::{capital, for_logs};

use super::next;
use super::story::{List, Story, StoryWriter};
use crate::porting;
use crate::style::{Plain, Style as _, patch_lines};
use crate::summary::Summary;

/// The width of a label.
const ROOM: usize = 12;

/// Renders the result as lines of text.
pub(super) fn render(summary: &Summary) -> String {
    let writer = StoryWriter { summary, style: &Plain };
    let mut lines: Vec<String> = Vec::new();
    let stories = writer.stories();
    if let [error] = &stories[..]
        && error.is_error
    {
        return for_logs(&error_lines(error, summary, &writer));
    }
    for story in stories {
        of(&story, &mut lines);
        lines.push(String::new());
    }
    let others = writer.others();
    if !others.is_empty() {
        lines.extend(others.into_iter().map(|other| labelled("other", &other)));
        lines.push(String::new());
    }
    lines.push(labelled("cost", &writer.cost()));
    lines.extend(step_lines(next::steps(summary)));
    if let Some(report) = summary.ported().filter(|_| summary.shows_steps) {
        lines.extend(porting::steps_text(report).lines().map(str::to_owned));
    }
    for_logs(&lines.iter().map(|line| format!("{}\n", line.trim_end())).collect::<String>())
}

/// Renders steps, one line each.
pub(super) fn step_lines(steps: Vec<next::Step>) -> Vec<String> {
    let line = |(place, (command, words)): (usize, next::Step)| {
        let step = match command {
            Some(command) if words.is_empty() => Plain.code(&command),
            Some(command) => format!("{:<44}  # {words}", Plain.code(&command)),
            None => words.into_owned(),
        };
        format!("{}{step}", if place == 0 { "Next: " } else { "      " })
    };
    steps.into_iter().enumerate().map(line).collect()
}

/// Renders a result about an endpoint as an error with help.
fn error_lines(story: &Story, summary: &Summary, writer: &StoryWriter<'_>) -> String {
    let mut lines = vec![format!("error: {}", story.headline)];
    for (label, words) in &story.details {
        lines.push(if *label == "output" { format!("    {words}") } else { format!("{label}: {words}") });
    }
    lines.extend(writer.others().into_iter().map(|other| labelled("other", &other)));
    for (command, words) in next::steps(summary) {
        lines.push(match command {
            Some(command) => format!("help: {}, {words}", Plain.code(&command)),
            None => format!("help: {words}"),
        });
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn of(story: &Story, lines: &mut Vec<String>) {
    // A line never starts with a text of another author.
    lines.push(capital(&story.headline));
    let (warnings, details): (Vec<_>, Vec<_>) = story.details.iter().partition(|(label, _)| *label == "warning");
    lines.extend(details.into_iter().map(|(label, words)| labelled(label, words)));
    for List { label, legend, entries } in &story.lists {
        let mut first = *label;
        if !legend.is_empty() {
            lines.push(labelled(label, legend));
        }
        for entry in entries {
            lines.push(match (label.is_empty(), legend.is_empty()) {
                (true, _) => format!("  {entry}"),
                (false, true) => labelled(first, entry),
                (false, false) => format!("    {entry}"),
            });
            first = "";
        }
    }
    lines.extend(warnings.into_iter().map(|(label, words)| format!("{label}: {words}")));
    for block in &story.blocks {
        lines.push(String::new());
        lines.extend((!block.name.is_empty()).then(|| format!("    {}", block.name)));
        lines.extend(patch_lines(&block.text).map(|line| format!("    | {line}")));
    }
}

fn labelled(label: &str, words: &str) -> String {
    format!("  {label:<ROOM$}{words}")
}
