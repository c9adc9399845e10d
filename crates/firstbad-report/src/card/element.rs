//! HTML elements of cards. Parameters that are not markup are escaped here.

use super::style::style;
use crate::draw::{brief, cut, escaped};
pub(super) use firstbad::capital;
use firstbad::search::Outcome;
use firstbad::{printable, with_short_ids};

/// The largest number of characters of a text.
const SHOWN: usize = 120;

/// Escapes and truncates a text. The tooltip has more of it.
pub(super) fn text(text: &str) -> String {
    let shown = cut(text, SHOWN);
    if shown == text {
        escaped(text)
    } else {
        format!("<span title=\"{}\">{}</span>", escaped(&cut(text, 1000)), escaped(&shown))
    }
}

/// Escapes a sentence, with a larger limit than [`text`].
pub(super) fn sentence(text: &str) -> String {
    escaped(&cut(&printable(&with_short_ids(text)), 1000))
}

pub(super) fn code(words: &str) -> String {
    format!("<code>{}</code>", text(words))
}

/// Returns a shortened id with the full id in a tooltip.
pub(super) fn id(id: &str) -> String {
    let shown = brief(id);
    let title = if shown == id { String::new() } else { format!(" title=\"{}\"", escaped(&cut(id, 200))) };
    format!("<code{title}>{}</code>", escaped(&shown))
}

pub(super) fn sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "<i class=\"fb-p\">●</i>",
        Outcome::Fail => "<i class=\"fb-f\">■</i>",
        Outcome::Unresolved => "<i class=\"fb-u\">◆</i>",
    }
}

/// The sign and the verb of a different failure.
pub(super) const OTHER_FAILURE: (&str, &str) = ("<i class=\"fb-u\">▣</i>", "fails in another way");

pub(super) fn verb(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "passes",
        Outcome::Fail => "fails",
        Outcome::Unresolved => "unresolved",
    }
}

/// Returns the headline of a card. `answer` and `below` are markup.
pub(super) fn headline(what: &str, answer: &str, below: &str) -> String {
    let below = if below.is_empty() { String::new() } else { format!("<p class=\"fb-m\">{below}</p>") };
    format!("<p class=\"fb-m\">{}</p><p class=\"fb-h\"><b>{answer}</b></p>{below}\n", escaped(what))
}

/// Returns a list of named facts. The facts are markup.
pub(super) fn facts<'a>(facts: impl IntoIterator<Item = (&'a str, Option<String>)>) -> String {
    let facts: Vec<String> = facts
        .into_iter()
        .filter_map(|(name, fact)| Some(format!("<div><dt><b>{}</b></dt><dd>{}</dd></div>", escaped(name), fact?)))
        .collect();
    if facts.is_empty() { String::new() } else { format!("<dl class=\"fb-d\">{}</dl>\n", facts.concat()) }
}

/// Returns the heading of a section.
pub(super) fn section(name: &str) -> String {
    format!("<p class=\"fb-s\"><b>{}</b></p>\n", escaped(name))
}

/// Returns the first warnings as notes.
pub(super) fn warnings(warnings: &[String]) -> String {
    let most = 5;
    let mut lines: Vec<String> = warnings
        .iter()
        .take(most)
        .map(|warning| format!("<p class=\"fb-m\">Note: {}</p>\n", sentence(warning)))
        .collect();
    if warnings.len() > most {
        lines.push(format!("<p class=\"fb-m\">and {} more notes</p>\n", warnings.len() - most));
    }
    if lines.is_empty() { String::new() } else { format!("<div style=\"margin-top:10px\">{}</div>\n", lines.concat()) }
}

/// Returns a collapsed section. `content` is markup.
pub(super) fn details(summary: &str, content: &str) -> String {
    format!("<details><summary>{}</summary>{content}</details>\n", escaped(summary))
}

/// The start of a part that is folded in a card, and open on a page.
pub(super) const OPENED: &str = "<details class=\"fb-op\">";

/// A part that is folded in a card, and open on a page.
pub(super) fn opened(summary: &str, content: &str) -> String {
    format!("{OPENED}<summary>{}</summary>{content}</details>\n", escaped(summary))
}

/// Joins names as in `a, b and c`. The names are markup.
pub(super) fn listed(names: &[String], most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let mut names: Vec<String> = names.iter().take(most).cloned().collect();
    if more > 0 {
        names.push(format!("{more} more"));
    }
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// Draws a bar for a share from 0 to 1. A small share stays visible.
pub(super) fn bar(share: f64, colour: Bar) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let width = if share > 0.0 { (100.0 * share).max(0.4) } else { 0.0 };
    let bar = match colour {
        Bar::Answer => format!("<rect width=\"{width:.1}%\" height=\"10\" rx=\"2\" fill=\"#d2571a\"/>"),
        Bar::Other => format!("<rect width=\"{width:.1}%\" height=\"10\" rx=\"2\" fill=\"#8a8f96\"/>"),
        Bar::Nobody => format!(
            "<rect x=\".7\" y=\".7\" width=\"{width:.1}%\" height=\"8.6\" rx=\"2\" fill=\"none\" stroke=\"currentColor\" \
             stroke-width=\"1.4\" stroke-dasharray=\"3 2\"/>"
        ),
    };
    format!(
        "<svg aria-hidden=\"true\" height=\"10\"><rect width=\"100%\" height=\"10\" rx=\"2\" fill=\"#808080\" \
         fill-opacity=\".14\"/>{bar}</svg>"
    )
}

/// The meaning of a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bar {
    Answer,
    Other,
    Nobody,
}

/// Returns a picture that shrinks to 86% in a narrow card and then scrolls, starting at `aim`.
pub(super) fn wide(label: &str, svg: &str, width: u32, aim: f64) -> String {
    let (label, least) = (escaped(label), (f64::from(width) * 0.86).round());
    let aim = (100.0 * aim).round();
    format!(
        "<div class=\"fb-x\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\"><div class=\"fb-xi\" \
         style=\"min-width:clamp({least}px,({least}px - 100%)*999,{width}px);max-width:{width}px\">\
         <i class=\"fb-aim\" style=\"left:{aim}%\"></i>{svg}</div></div>\n"
    )
}

/// Returns a card with its style. `body` is markup.
pub(super) fn card(label: &str, body: &str) -> String {
    format!(
        "<section class=\"fbad\" aria-label=\"{}\"><style>{}</style>\n{body}</section>",
        escaped(label),
        style(body)
    )
}
