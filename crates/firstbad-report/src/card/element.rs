//! The pieces that cards are made of. Everything that is not a piece of markup goes through [`text`].

use super::style::style;
use crate::draw::{brief, cut, escaped};
pub(super) use firstbad::capital;
use firstbad::search::Outcome;
use firstbad::{printable, with_short_ids};

/// How many characters of a text are shown where it is one of many.
const SHOWN: usize = 120;

/// A text as HTML, cut where it is long.
pub(super) fn text(text: &str) -> String {
    let shown = cut(text, SHOWN);
    if shown == text {
        escaped(text)
    } else {
        format!("<span title=\"{}\">{}</span>", escaped(&cut(text, 1000)), escaped(&shown))
    }
}

/// A sentence or two, of which more is shown.
pub(super) fn sentence(text: &str) -> String {
    escaped(&cut(&printable(&with_short_ids(text)), 1000))
}

pub(super) fn code(words: &str) -> String {
    format!("<code>{}</code>", text(words))
}

/// An id: its beginning, the whole in a tooltip.
pub(super) fn id(id: &str) -> String {
    let shown = brief(id);
    let title = if shown == id { String::new() } else { format!(" title=\"{}\"", escaped(&cut(id, 200))) };
    format!("<code{title}>{}</code>", escaped(&shown))
}

/// The sign of an outcome.
pub(super) fn sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "<i class=\"fb-p\">●</i>",
        Outcome::Fail => "<i class=\"fb-f\">■</i>",
        Outcome::Unresolved => "<i class=\"fb-u\">◆</i>",
    }
}

/// The sign and the words for a different failure than the one searched for.
pub(super) const OTHER_FAILURE: (&str, &str) = ("<i class=\"fb-u\">▣</i>", "fails in another way");

/// The verb of an outcome.
pub(super) fn verb(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "passes",
        Outcome::Fail => "fails",
        Outcome::Unresolved => "cannot run",
    }
}

/// The answer: what it is, the answer itself, and what belongs to it. All but `what` are markup; `below` may be empty.
pub(super) fn headline(what: &str, answer: &str, below: &str) -> String {
    let below = if below.is_empty() { String::new() } else { format!("<p class=\"fb-m\">{below}</p>") };
    format!("<p class=\"fb-m\">{}</p><p class=\"fb-h\"><b>{answer}</b></p>{below}\n", escaped(what))
}

/// Facts with their names; the facts are markup.
pub(super) fn facts<const N: usize>(facts: [(&str, Option<String>); N]) -> String {
    let facts: Vec<String> = facts
        .into_iter()
        .filter_map(|(name, fact)| Some(format!("<div><dt><b>{}</b></dt><dd>{}</dd></div>", escaped(name), fact?)))
        .collect();
    if facts.is_empty() { String::new() } else { format!("<dl class=\"fb-d\">{}</dl>\n", facts.concat()) }
}

/// What comes next.
pub(super) fn section(name: &str) -> String {
    format!("<p class=\"fb-s\"><b>{}</b></p>\n", escaped(name))
}

/// What is to be known before one believes it.
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

/// What is unfolded by those who want to see it.
pub(super) fn details(summary: &str, content: &str) -> String {
    format!("<details><summary>{}</summary>{content}</details>\n", escaped(summary))
}

/// The start of a part that is folded in a card, and open on a page.
pub(super) const OPENED: &str = "<details class=\"fb-op\">";

/// A part that is folded in a card, and open on a page.
pub(super) fn opened(summary: &str, content: &str) -> String {
    format!("{OPENED}<summary>{}</summary>{content}</details>\n", escaped(summary))
}

/// What is said in a list of things: `a`, `a and b`, `a, b and c`; the names are markup.
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

/// A bar of so much of its room, from 0 to 1; what is little is still seen.
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

/// What a bar stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bar {
    Answer,
    Other,
    Nobody,
}

/// A picture that may be wider than the card: it shrinks a little, then it is scrolled, beginning with what matters most.
pub(super) fn wide(label: &str, svg: &str, width: u32, aim: f64) -> String {
    let (label, least) = (escaped(label), (f64::from(width) * 0.86).round());
    let aim = (100.0 * aim).round();
    format!(
        "<div class=\"fb-x\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\"><div class=\"fb-xi\" \
         style=\"min-width:clamp({least}px,({least}px - 100%)*999,{width}px);max-width:{width}px\">\
         <i class=\"fb-aim\" style=\"left:{aim}%\"></i>{svg}</div></div>\n"
    )
}

/// A card with its style; `body` is markup.
pub(super) fn card(label: &str, body: &str) -> String {
    format!(
        "<section class=\"fbad\" aria-label=\"{}\"><style>{}</style>\n{body}</section>",
        escaped(label),
        style(body)
    )
}
