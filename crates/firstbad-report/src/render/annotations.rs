//! The result as commands that GitHub Actions turns into annotations.

use firstbad::{RegressionPoint, Status, capital, short};

use super::story::{List, Story, StoryWriter};
use crate::style::{Plain, Style as _, patch_lines};
use crate::summary::{Cause, Place, Summary};

/// The maximum number of lines of a cause, because an annotation has a limit.
const MOST: usize = 40;

/// Renders one command for each finding, at the first place of its cause if that is known.
pub(super) fn render(summary: &Summary) -> String {
    let writer = StoryWriter { summary, style: &Plain };
    let mut commands = String::new();
    let level = match summary.status() {
        // A slice is not a problem.
        Status::Found if summary.sliced().is_some() => "notice",
        Status::Found | Status::Ambiguous => "error",
        Status::Running => "notice",
        _ => "warning",
    };
    let stories = writer.stories();
    let has_points = stories.len() == summary.points().len() && summary.status() != Status::GoodEndFails;
    for (place, story) in stories.iter().enumerate() {
        let point = summary.points().get(place).filter(|_| has_points);
        let cause = point.and_then(|point| Some((point, summary.cause(place)?)));
        match cause.and_then(|(point, cause)| Some((point, cause, cause.places.first()?))) {
            Some((point, cause, first)) => commands.push_str(&of_cause(story, point, cause, first, level)),
            // Without a body, the title is the message.
            None if is_headline(story) => commands.push_str(&command(level, &[], &title(story))),
            None => commands.push_str(&command(level, &[("title", &title(story))], &body(story))),
        }
    }
    let others: Vec<String> = writer.others();
    if !others.is_empty() && has_points {
        commands.push_str(&command("warning", &[("title", "Revisions without a culprit")], &others.join("\n")));
    }
    commands
}

/// Returns the command for a finding with a known cause, at the first place of the cause.
fn of_cause(story: &Story, point: &RegressionPoint, cause: &Cause, place: &Place, level: &str) -> String {
    let number = |line: Option<usize>| line.map(|line| line.to_string()).unwrap_or_default();
    let (line, end) = (number(place.line), number(place.end_line));
    let file = Plain.code(&place.file);
    let mut properties = vec![("file", file.as_str())];
    if place.line.is_some() {
        properties.extend([("line", line.as_str()), ("endLine", end.as_str())]);
    }
    let title = format!("{}: {}", what(story), short(point.newer()));
    properties.push(("title", &title));
    let mut lines = vec![capital(&story.headline), body(story)];
    lines.extend(cause.places.iter().flat_map(|place| patch_lines(&place.text)).take(MOST));
    command(level, &properties, &lines.join("\n"))
}

/// Returns the start of the headline, such as `First bad commit`.
fn what(story: &Story) -> String {
    capital(story.headline.split([':', ';']).next().unwrap_or_default())
}

fn title(story: &Story) -> String {
    capital(&story.headline)
}

fn body(story: &Story) -> String {
    let mut lines: Vec<String> = story.details.iter().map(|(label, words)| format!("{label}: {words}")).collect();
    for List { label, legend, entries } in &story.lists {
        let legend = if legend.is_empty() { String::new() } else { format!(" ({legend})") };
        lines.extend((!label.is_empty()).then(|| format!("{label}{legend}:")));
        lines.extend(entries.iter().map(|entry| format!("- {entry}")));
    }
    lines.join("\n")
}

fn is_headline(story: &Story) -> bool {
    story.details.is_empty() && story.lists.is_empty()
}

/// Returns a command. Nothing in the message can end it or start another command.
pub(super) fn command(level: &str, properties: &[(&str, &str)], message: &str) -> String {
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", of_property(value))).collect();
    let blank = if properties.is_empty() { "" } else { " " };
    format!("::{level}{blank}{}::{}\n", properties.join(","), of_message(message))
}

fn of_message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn of_property(text: &str) -> String {
    of_message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_stays_one_command() {
        let made = command("error", &[("file", "a,b:c"), ("title", "x::y\r\n::set-env name=A::b")], "100%\n::error::z");
        assert_eq!(
            made,
            "::error file=a%2Cb%3Ac,title=x%3A%3Ay%0D%0A%3A%3Aset-env name=A%3A%3Ab::100%25%0A::error::z\n"
        );
        assert_eq!(made.lines().count(), 1);
    }
}
