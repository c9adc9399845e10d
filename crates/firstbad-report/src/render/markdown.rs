//! The result as Markdown for a comment or a job summary.

use firstbad::{capital, for_logs};

use super::next;
use super::story::{Block, List, Story, StoryWriter, state_before};
use crate::porting;
use crate::style::{Markdown, Style as _, longest_run, patch_lines};
use crate::summary::Summary;

/// The maximum number of lines of a patch, because comments have a limit.
const MOST: usize = 200;

/// Renders the result as Markdown.
pub(super) fn render(summary: &Summary) -> String {
    let style = Markdown { table: false };
    let writer = StoryWriter { summary, style: &style };
    let mut parts: Vec<String> = Vec::new();
    if summary.leaves().len() > 1 {
        parts.push(table(summary));
    }
    parts.extend(writer.stories().iter().map(of));
    let others = writer.others();
    if !others.is_empty() && summary.leaves().len() == 1 {
        parts.push(others.iter().map(|other| format!("- {other}\n")).collect());
    }
    let steps = step_list(next::steps(summary));
    if !steps.is_empty() {
        parts.push(steps);
    }
    if let Some(report) = summary.ported().filter(|report| !report.steps.is_empty()) {
        let steps = porting::steps_markdown(report);
        parts.push(format!("<details>\n<summary>Steps</summary>\n{steps}\n</details>\n"));
    }
    parts.push(format!("<sub>firstbad: {}</sub>\n", writer.cost()));
    for_logs(&parts.join("\n"))
}

/// Returns steps as a list.
pub(super) fn step_list(steps: Vec<next::Step>) -> String {
    let line = |(command, words): next::Step| match command {
        Some(command) => {
            format!("{}\n", format!("- {} {words}", Markdown { table: false }.code(&command)).trim_end())
        }
        None => format!("- {}\n", capital(&words)),
    };
    steps.into_iter().map(line).collect()
}

/// Returns a table with one row for each newer endpoint.
fn table(summary: &Summary) -> String {
    let style = Markdown { table: true };
    let writer = StoryWriter { summary, style: &style };
    let mut rows = "| Revision | Result | Author | Date |\n| --- | --- | --- | --- |\n".to_owned();
    let others = writer.others();
    let mut others = others.iter().filter_map(|other| other.split_once(": "));
    for leaf in summary.leaves() {
        let end = writer.end(&leaf.leaf, 0);
        for &place in &leaf.points {
            let Some(point) = summary.points().get(place) else { continue };
            let commit = summary.commits().get(point.newer());
            let author = commit.map(|commit| style.words(&commit.author)).unwrap_or_default();
            let day = commit.map(|commit| style.words(commit.day())).unwrap_or_default();
            let perhaps = if writer.is_perhaps(point) { "most likely " } else { "" };
            let one_of = match point.candidates.len() {
                _ if point.older().is_none() => {
                    format!("no revision that {} found before ", state_before(point.find))
                }
                0 | 1 => perhaps.to_owned(),
                n => format!("{perhaps}one of {n}, up to "),
            };
            rows.push_str(&format!("| {end} | {one_of}{} | {author} | {day} |\n", writer.commit(point.newer())));
        }
        if leaf.points.is_empty()
            && let Some((_, why)) = others.next()
        {
            rows.push_str(&format!("| {end} | {why} | | |\n"));
        }
    }
    rows
}

fn of(story: &Story) -> String {
    let mut text = format!("### {}\n", capital(&story.headline));
    if !story.details.is_empty() || !story.lists.is_empty() {
        text.push('\n');
    }
    for (label, words) in &story.details {
        text.push_str(&format!("- **{label}**: {words}\n"));
    }
    for List { label, legend, entries } in &story.lists {
        let indent = if label.is_empty() { "" } else { "  " };
        text.push_str(&match (*label, *legend) {
            ("", _) => String::new(),
            (label, "") => format!("- **{label}**:\n"),
            (label, legend) => format!("- **{label}** ({legend}):\n"),
        });
        text.extend(entries.iter().map(|entry| format!("{indent}- {entry}\n")));
    }
    for Block { name, kind, text: block } in &story.blocks {
        if !name.is_empty() {
            text.push_str(&format!("\n{name}\n"));
        }
        let lines: Vec<String> = patch_lines(block).collect();
        let shown = lines[..lines.len().min(MOST)].join("\n");
        let fence = "`".repeat(longest_run(&shown, '`').max(2) + 1);
        text.push_str(&format!("\n{fence}{kind}\n{shown}\n{fence}\n"));
        if lines.len() > MOST {
            text.push_str(&format!("\n{} more lines are omitted.\n", lines.len() - MOST));
        }
    }
    text
}
