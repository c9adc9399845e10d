//! Cards of stores, journals, and patches.

use firstbad::patch::Patch;

use super::element::{card, code, facts, headline, text};
use super::figures::count;
use super::patch::lines;

/// Returns the HTML card of an outcome store: the number of outcomes of this oracle in this version, and the file.
#[must_use]
pub fn store(outcomes: usize, oracle: &str, version: &str, file: &str) -> String {
    let facts = facts([
        ("Changes", Some(text(oracle))),
        ("Version", (!version.is_empty()).then(|| text(version))),
        ("File", Some(code(file))),
    ]);
    card("Outcome store", &(headline("Outcome store", &count(outcomes as u64, "outcome"), "") + &facts))
}

/// Returns the HTML card of a journal: the file, the name of the run, and the number of events.
#[must_use]
pub fn journal(file: &str, run: &str, events: usize) -> String {
    let facts = facts([("File", Some(code(file))), ("Run", Some(code(run)))]);
    card("Journal", &(headline("Journal", &count(events as u64, "event"), "") + &facts))
}

/// Returns the HTML card of a patch.
#[must_use]
pub fn patch(patch: &Patch) -> String {
    let files = count(patch.files().len() as u64, "file");
    let answer = format!("{} in {files}", count(patch.len() as u64, "change"));
    card("Patch", &(headline("Patch", &answer, "") + &lines(patch, None)))
}
