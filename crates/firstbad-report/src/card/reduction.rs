//! The cards of reductions of patches, texts, and other items.

use std::borrow::Cow;

use firstbad::patch::Patch;
use firstbad::reduction::Guarantee;
use firstbad::search::{Outcome, Status, TargetObservation};
use firstbad::{Report, Text};

use super::element::{Bar, bar, capital, card, facts, headline, section, sentence};
use super::figures::{count, number};
use super::{outcome, patch};
use crate::draw::{brief, cut, escaped};

/// The largest number of listed items.
const LINES: usize = 200;
/// The largest number of characters of an item.
const WIDTH: usize = 240;

/// The items of a reduction.
#[derive(Debug, Clone, Copy)]
pub enum Items<'a> {
    /// All changes of a patch.
    Patch(&'a Patch),
    /// The reduced patch of a commit.
    Cause {
        /// The id of the commit.
        commit: &'a str,
        /// The number of changes in the full patch.
        all: usize,
        /// The reduced patch.
        part: &'a Patch,
    },
    /// The lines of a text.
    Lines(&'a [&'a str]),
    /// The pieces of a text.
    Text(&'a Text),
    /// Items of the caller, described by the caller.
    Shown {
        /// The number of items before the reduction.
        all: usize,
        /// The descriptions of the first remaining items.
        left: &'a [&'a str],
    },
    /// Items known by their indices only, with the number of items before the reduction.
    Numbered(Option<usize>),
}

impl Items<'_> {
    fn all(&self) -> Option<usize> {
        match self {
            Items::Patch(patch) => Some(patch.len()),
            Items::Cause { all, .. } => Some(*all),
            Items::Lines(lines) => Some(lines.len()),
            Items::Text(text) => Some(text.line_count()),
            Items::Shown { all, .. } => Some(*all),
            Items::Numbered(all) => *all,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Items::Patch(_) | Items::Cause { .. } => "change",
            Items::Lines(_) | Items::Text(_) => "line",
            Items::Shown { .. } | Items::Numbered(_) => "item",
        }
    }
}

/// Returns the card of a reduction, or `None` for other reports.
pub(super) fn drawn(report: &Report, items: Items<'_>) -> Option<String> {
    let (kept, guarantee, is_difference) = match report {
        Report::Minimize(report) => (&report.kept, report.guarantee, false),
        Report::Isolate(report) => (&report.difference, report.guarantee, true),
        _ => return None,
    };
    // A reduced text is shown by lines.
    let lines = match items {
        Items::Text(text) => text.lines_of(&kept.iter().copied().collect()),
        _ => Vec::new(),
    };
    let numbers: Vec<usize> = lines.iter().map(|(number, _)| *number).collect();
    let texts: Vec<_> = lines.iter().map(|(_, line)| String::from_utf8_lossy(line)).collect();
    let (kept, part) = match items {
        Items::Text(_) => (&numbers, "part"),
        _ => (kept, items.word()),
    };
    let label = match items {
        Items::Patch(_) | Items::Cause { .. } => "Minimized patch",
        Items::Lines(_) | Items::Text(_) => "Minimized text",
        Items::Shown { .. } | Items::Numbered(_) => "Minimized items",
    };
    if kept.is_empty() && report.status() != Status::Found {
        let answer = format!("○ {}", outcome::of(report.status()));
        let head = headline("No result", &answer, &sentence(&capital(report.message())));
        return Some(card(label, &(head + &facts([("Cost", Some(cost(report)))]))));
    }
    let word = items.word();
    let of = items.all().map_or(String::new(), |all| format!(" of {}", number(all as u64)));
    let many = items.all().unwrap_or(kept.len());
    let plural = if many == 1 { "" } else { "s" };
    let answer = format!("<i class=\"fb-f\">■</i> {}{of} {word}{plural}", number(kept.len() as u64));
    let what = match (report.status(), is_difference, &items) {
        (Status::Running, ..) => "Smallest part so far",
        (_, true, _) => "Changes that make the difference",
        (_, false, Items::Patch(_)) => "Part of the patch that keeps the failure",
        (_, false, Items::Cause { commit, .. }) => &format!("Part of {} that keeps the failure", brief(commit)),
        (_, false, Items::Lines(_) | Items::Text(_)) => "Smallest text that keeps the failure",
        (_, false, _) => "Smallest part that keeps the failure",
    };
    let facts = facts([
        ("How certain", Some(certain(guarantee, kept.len(), part, is_difference))),
        ("Cost", Some(cost(report))),
    ]);
    let body = headline(what, &answer, "") + &facts + &size(kept.len(), &items) + &content(kept, &items, &texts);
    Some(card(label, &body))
}

/// Returns the cost, with the number of unresolved runs.
pub(super) fn cost(report: &Report) -> String {
    let is_unresolved = |one: &&TargetObservation| one.observation.outcome == Outcome::Unresolved;
    let told_nothing = match report.observations().iter().filter(is_unresolved).count() {
        0 => String::new(),
        many => format!(", {} unresolved", count(many as u64, "part")),
    };
    format!("{}{told_nothing}", outcome::cost(report))
}

/// Describes the guarantee of a reduction.
pub(super) fn certain(guarantee: Guarantee, kept: usize, word: &str, is_difference: bool) -> String {
    match (guarantee, kept) {
        (Guarantee::OneMinimal, 0) => "Certain: the outcome needs none of them".to_owned(),
        (Guarantee::OneMinimal, _) if is_difference => "Certain: firstbad tried each part of the difference".to_owned(),
        (Guarantee::OneMinimal, 1) => format!("Certain: the {word} is needed, because firstbad tried without it"),
        (Guarantee::OneMinimal, _) => {
            format!("Certain: each {word} is needed, because firstbad tried without it")
        }
        (Guarantee::Fixpoint, 0) => "The outcome needs none of them".to_owned(),
        (Guarantee::Fixpoint, _) => format!("Each {word} is needed, if more of them never hide the outcome"),
        (Guarantee::BestSoFar, _) => "Open: the best so far, fewer may be enough".to_owned(),
    }
}

/// Returns the table of sizes before and after the reduction.
fn size(kept: usize, items: &Items<'_>) -> String {
    let Some(all) = items.all().filter(|&all| all > 0) else { return String::new() };
    if matches!(items, Items::Patch(_) | Items::Cause { .. }) {
        return String::new();
    }
    let word = items.word();
    let row = |name: &str, many: usize, colour: Bar| {
        format!(
            "<tr><td class=\"fb-m\">{name}</td><td class=\"fb-n\">{}</td><td class=\"fb-bar\">{}</td></tr>",
            count(many as u64, word),
            bar(many as f64 / all as f64, colour)
        )
    };
    let rows = row("Before", all, Bar::Other) + &row("After", kept, Bar::Answer);
    format!("{}<table><tbody>{rows}</tbody></table>\n", section("Size"))
}

fn content(kept: &[usize], items: &Items<'_>, texts: &[Cow<'_, str>]) -> String {
    match items {
        Items::Patch(patch) => {
            let legend = "▸ matters, - removed, + added. Dimmed lines do not matter.";
            let lines = patch::lines(patch, Some(kept));
            format!("<p class=\"fb-m\" style=\"margin-top:12px\">{legend}</p>\n{lines}")
        }
        Items::Cause { part, .. } => patch::lines(part, None),
        Items::Lines(lines) => {
            let line = |&index: &usize| lines.get(index).copied().unwrap_or_default();
            left(kept, lines.len(), &kept.iter().map(line).collect::<Vec<_>>(), "line", 1)
        }
        Items::Text(text) => {
            left(kept, text.line_count(), &texts.iter().map(AsRef::as_ref).collect::<Vec<&str>>(), "line", 1)
        }
        Items::Shown { all, left: shown } => left(kept, *all, shown, "item", 0),
        Items::Numbered(all) => {
            let no_texts = vec![""; kept.len().min(LINES)];
            left(kept, all.unwrap_or(0), &no_texts, "item", 0)
        }
    }
}

/// Returns the remaining items, numbered from `first`, with gaps for removed items.
fn left(kept: &[usize], all: usize, texts: &[&str], word: &str, first: usize) -> String {
    let digits = (kept.last().copied().unwrap_or(0) + first).to_string().len();
    let mut spans = String::new();
    let gap = |from: usize, to: usize| match to.saturating_sub(from) {
        0 => String::new(),
        many => {
            let indent = " ".repeat(digits + 3);
            format!("<span class=\"fb-e\">{indent}⋯ {} removed</span>", count(many as u64, word))
        }
    };
    let mut next = 0;
    for (&index, text) in kept.iter().zip(texts).take(LINES) {
        spans += &gap(next, index);
        let text = escaped(&cut(&text.trim_end_matches(['\n', '\r']).replace('\t', "    "), WIDTH));
        spans += &format!("<span class=\"fb-k\">▸ {:>digits$} {text}</span>", index + first);
        next = index + 1;
    }
    let hidden = kept.len().saturating_sub(LINES.min(texts.len()));
    spans += &match hidden {
        0 => gap(next, all),
        hidden => format!("<span class=\"fb-e\">⋯ and {} more lines</span>", number(hidden as u64)),
    };
    format!("{}<pre class=\"fb-c\" tabindex=\"0\" aria-label=\"Result\">{spans}</pre>\n", section("Result"))
}
