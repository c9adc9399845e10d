//! An answer for a terminal.

use firstbad::{capital, for_logs};

use super::next;
use super::story::{Story, StoryWriter};
use super::style::{Plain, Style as _, patch_lines};
use crate::porting;
use crate::summary::Summary;

/// How far words stand from the margin, below their label.
const ROOM: usize = 12;

/// The answer as lines of text.
pub(super) fn render(summary: &Summary) -> String {
    if let Some(report) = summary.ported() {
        return for_logs(&porting::text(report));
    }
    let writer = StoryWriter { summary, style: &Plain };
    let mut lines: Vec<String> = Vec::new();
    for story in writer.stories() {
        of(&story, &mut lines);
        lines.push(String::new());
    }
    let others = writer.others();
    if !others.is_empty() {
        lines.extend(others.into_iter().map(|other| labelled("otherwise", &other)));
        lines.push(String::new());
    }
    lines.push(labelled("cost", &writer.cost()));
    let mut label = "next";
    for (command, words) in next::steps(summary) {
        let step = match command {
            Some(command) => format!("{:<48} {words}", Plain.code(&command)),
            None => words.into_owned(),
        };
        lines.push(labelled(label, &step));
        label = "";
    }
    for_logs(&lines.iter().map(|line| format!("{}\n", line.trim_end())).collect::<String>())
}

fn of(story: &Story, lines: &mut Vec<String>) {
    // Whatever a line begins with, it is not what somebody else wrote.
    lines.push(capital(&story.headline));
    lines.extend(story.details.iter().map(|(label, words)| labelled(label, words)));
    if let Some((what, entries)) = &story.list {
        let mut label = *what;
        for entry in entries {
            lines.push(labelled(label, entry));
            label = "";
        }
    }
    for block in &story.blocks {
        lines.push(String::new());
        lines.extend((!block.name.is_empty()).then(|| format!("    {}", block.name)));
        lines.extend(patch_lines(&block.text).map(|line| format!("    | {line}")));
    }
}

fn labelled(label: &str, words: &str) -> String {
    format!("  {label:<ROOM$}{words}")
}
