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

    /// Returns the last failure of a revision.
    pub(crate) fn at(&self, key: Key) -> Option<&'a str> {
        self.0.get(&key)?.last().copied()
    }

    /// A sentence where the failures of `blamed` are known, those of one of the failing `ends` too, and none of them is the same;
    /// `named` gives the revision of a key. None of what prints something else each time it fails.
    pub(crate) fn other<'b>(&self, blamed: Key, ends: &[Key], named: impl Fn(Key) -> &'b str) -> Option<String> {
        let seen = self.0.get(&blamed).filter(|failures| !vary(failures))?;
        let (end, theirs) = ends
            .iter()
            .filter_map(|&end| Some((end, self.0.get(&end)?)))
            .find(|(_, theirs)| !vary(theirs) && !theirs.iter().any(|failure| seen.contains(failure)))?;
        let [mine, theirs] = around_difference([seen.last()?, theirs.last()?]);
        Some(format!(
            "{} does not fail as {} does, so they may be two bugs: {mine:?} there, {theirs:?} at {}; with signatures another failure \
             than that of the end counts as not tested",
            named(blamed),
            named(end),
            named(end)
        ))
    }
}

/// How many characters are shown of what two failures have in common before they differ, and from there on.
const BEFORE: usize = 24;
const AFTER: usize = 96;

/// Two failures as far as one needs them to see the difference.
pub(crate) fn around_difference(failures: [&str; 2]) -> [String; 2] {
    let [mine, theirs] = failures.map(str::chars);
    let common = mine.zip(theirs).take_while(|(mine, theirs)| mine == theirs).count();
    // A few characters are not worth the dots.
    let from = if common > BEFORE + 8 { common - BEFORE } else { 0 };
    failures.map(|failure| {
        let mut rest = failure.chars().skip(from);
        let shown: String = rest.by_ref().take(BEFORE + AFTER).collect();
        let (before, after) = (if from > 0 { "..." } else { "" }, if rest.next().is_some() { "..." } else { "" });
        format!("{before}{shown}{after}")
    })
}

/// Whether no two of several failures are the same.
fn vary(failures: &[&str]) -> bool {
    let different: HashSet<&str> = failures.iter().copied().collect();
    failures.len() > 1 && different.len() == failures.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_failures_what_differs_is_shown() {
        assert_eq!(around_difference(["exit code 1", "exit code 1: ä"]), ["exit code 1", "exit code 1: ä"]);
        let failure = |what: &str| format!("exit code 1: FAILED test_a.py::test_b - assert {what}{}", "é".repeat(200));
        let [mine, theirs] = around_difference([&failure("Oh"), &failure("oh")]);
        assert_eq!(mine, format!("...t_a.py::test_b - assert Oh{}...", "é".repeat(94)));
        assert_eq!(theirs, format!("...t_a.py::test_b - assert oh{}...", "é".repeat(94)));
    }
}
