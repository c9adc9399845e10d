//! What a report warns of where what it names fails in another way than the end did.

use std::collections::{HashMap, HashSet};

use super::ledger::Ledger;
use super::probe::Key;

/// The failures that were seen, by what was tested, in the order of their answers.
pub(crate) struct Failures<'a>(HashMap<Key, Vec<&'a str>>);

impl<'a> Failures<'a> {
    /// Those of all answers that say which failure it was.
    pub(crate) fn of(ledger: &'a Ledger) -> Failures<'a> {
        let mut seen: HashMap<Key, Vec<&str>> = HashMap::new();
        for answer in ledger.answers() {
            if let Some(failure) = answer.observation.failure() {
                seen.entry(answer.key).or_default().push(failure);
            }
        }
        Failures(seen)
    }

    /// A sentence where the failures of `blamed` are known, those of one of the failing `ends` too, and none of them is the same;
    /// `named` gives the revision of a key. None of what prints something else each time it fails.
    pub(crate) fn other<'b>(&self, blamed: Key, ends: &[Key], named: impl Fn(Key) -> &'b str) -> Option<String> {
        let seen = self.0.get(&blamed).filter(|failures| !vary(failures))?;
        let (end, theirs) = ends
            .iter()
            .filter_map(|&end| Some((end, self.0.get(&end)?)))
            .find(|(_, theirs)| !vary(theirs) && !theirs.iter().any(|failure| seen.contains(failure)))?;
        let (mine, theirs) = (seen.last()?, theirs.last()?);
        Some(format!(
            "{} does not fail as {} does, so they may be two bugs: {mine:?} there, {theirs:?} at {}; with signatures another failure \
             than that of the end counts as not tested",
            named(blamed),
            named(end),
            named(end)
        ))
    }
}

/// Whether no two of several failures are the same.
fn vary(failures: &[&str]) -> bool {
    let different: HashSet<&str> = failures.iter().copied().collect();
    failures.len() > 1 && different.len() == failures.len()
}
