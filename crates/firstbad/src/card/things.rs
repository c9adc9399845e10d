//! Cards of what has no answer: a store, a session, a patch by itself.

use super::element::{self, card, headline, text};
use crate::patch::Patch;

/// One thing that is known of something, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact<'a> {
    /// What it is.
    pub name: &'a str,
    /// The fact.
    pub words: &'a str,
}

/// A card with a headline and some facts, as a piece of HTML: `what` it is, and `answer`, the one thing to know of it.
#[must_use]
pub fn facts(what: &str, answer: &str, facts: &[Fact<'_>]) -> String {
    let facts: Vec<String> = facts
        .iter()
        .take(20)
        .map(|fact| format!("<div><dt><b>{}</b></dt><dd>{}</dd></div>", text(fact.name), text(fact.words)))
        .collect();
    let facts = if facts.is_empty() { String::new() } else { format!("<dl class=\"fb-d\">{}</dl>\n", facts.concat()) };
    card(what, &(headline(what, &text(answer), "") + &facts))
}

/// The card of a patch by itself, as a piece of HTML.
#[must_use]
pub fn patch(patch: &Patch) -> String {
    let files = patch.files().len() as u64;
    let answer = format!("{} in {}", super::figures::count(patch.len() as u64, "change"), super::figures::count(files, "file"));
    card("Patch", &(element::headline("Patch", &answer, "") + &super::patch::lines(patch, None)))
}
