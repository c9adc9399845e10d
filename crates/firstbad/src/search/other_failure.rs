//! What a report warns of where what it names fails in another way than the end did.

use super::ledger::Ledger;
use super::probe::Key;

/// A sentence where the failures of `blamed` are known, those of one of the failing `ends` too, and none of them is the same;
/// `named` gives the revision of a key.
pub(crate) fn other_failure<'a>(
    ledger: &Ledger,
    blamed: Key,
    ends: &[Key],
    named: impl Fn(Key) -> &'a str,
) -> Option<String> {
    let failures = |key: Key| -> Vec<&str> {
        let of_key = ledger.answers().iter().filter(|answer| answer.key == key);
        of_key.filter_map(|answer| answer.observation.failure()).collect()
    };
    let seen = failures(blamed);
    let mine = *seen.last()?;
    let differs = |&end: &Key| {
        let theirs = failures(end);
        let last = *theirs.last()?;
        (!theirs.iter().any(|failure| seen.contains(failure))).then_some((end, last))
    };
    let (end, theirs) = ends.iter().find_map(differs)?;
    Some(format!(
        "{} does not fail as {} does, so they may be two bugs: {mine:?} there, {theirs:?} at {}; with signatures another failure than that \
         of the end counts as not tested",
        named(blamed),
        named(end),
        named(end)
    ))
}
