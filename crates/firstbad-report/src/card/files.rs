//! Cards of what has no answer: a store, a journal, a patch by itself.

use firstbad::patch::Patch;

use super::element::{card, code, facts, headline, text};
use super::figures::count;
use super::patch::lines;

/// The card of a store of outcomes, as a piece of HTML: how many there are of this oracle in this version, and the file.
#[must_use]
pub fn store(outcomes: usize, oracle: &str, version: &str, file: &str) -> String {
    let facts = facts([
        ("Changes", Some(text(oracle))),
        ("Version", (!version.is_empty()).then(|| text(version))),
        ("File", Some(code(file))),
    ]);
    card("Outcome store", &(headline("Outcome store", &count(outcomes as u64, "outcome"), "") + &facts))
}

/// The card of a journal, as a piece of HTML, to stand above that of the search in it: the file, the run's name, and how many
/// events there are.
#[must_use]
pub fn journal(file: &str, run: &str, events: usize) -> String {
    let facts = facts([("File", Some(code(file))), ("Run", Some(code(run)))]);
    card("Journal", &(headline("Journal", &count(events as u64, "event"), "") + &facts))
}

/// The card of a patch by itself, as a piece of HTML.
#[must_use]
pub fn patch(patch: &Patch) -> String {
    let files = count(patch.files().len() as u64, "file");
    let answer = format!("{} in {files}", count(patch.len() as u64, "change"));
    card("Patch", &(headline("Patch", &answer, "") + &lines(patch, None)))
}
