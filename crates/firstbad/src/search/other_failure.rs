//! Warnings about a culprit that fails in another way than the bad revision.

use std::collections::{HashMap, HashSet};

use super::ledger::Ledger;
use super::probe::Key;
use crate::option;

/// The known failures of each target, in the order told.
pub(crate) struct Failures<'a>(HashMap<Key, Vec<&'a str>>);

impl<'a> Failures<'a> {
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

    /// Returns the difference between the failures of `blamed` and of a failing endpoint, if no failure is the same. Targets
    /// whose every failure is different are skipped. `named` returns the revision of a key.
    pub(crate) fn other<'b>(&self, blamed: Key, ends: &[Key], named: impl Fn(Key) -> &'b str) -> Option<String> {
        let seen = self.0.get(&blamed).filter(|failures| !vary(failures))?;
        let (end, theirs) = ends
            .iter()
            .filter_map(|&end| Some((end, self.0.get(&end)?)))
            .find(|(_, theirs)| !vary(theirs) && !theirs.iter().any(|failure| seen.contains(failure)))?;
        let [mine, theirs] = around_difference([seen.last()?, theirs.last()?]);
        Some(format!(
            "{} fails in another way than {}, so there may be two bugs: {mine:?} instead of {theirs:?}. With {}, \
             other failures are unresolved",
            named(blamed),
            named(end),
            option!(distinguish_failures)
        ))
    }
}

/// Returns a warning if `blamed` fails in another way than a failing endpoint and shares no failure with it. Targets that fail
/// differently in every run are skipped. `named` returns the revision of a key.
const BEFORE: usize = 24;
const AFTER: usize = 96;

/// Cuts two failures to the part around their first difference.
pub(crate) fn around_difference(failures: [&str; 2]) -> [String; 2] {
    let [mine, theirs] = failures.map(str::chars);
    let common = mine.zip(theirs).take_while(|(mine, theirs)| mine == theirs).count();
    // Cutting a few characters does not save space.
    let from = if common > BEFORE + 8 { common - BEFORE } else { 0 };
    failures.map(|failure| {
        let mut rest = failure.chars().skip(from);
        let shown: String = rest.by_ref().take(BEFORE + AFTER).collect();
        let (before, after) = (if from > 0 { "..." } else { "" }, if rest.next().is_some() { "..." } else { "" });
        format!("{before}{shown}{after}")
    })
}

/// Returns whether no two of several failures are equal.
fn vary(failures: &[&str]) -> bool {
    let different: HashSet<&str> = failures.iter().copied().collect();
    failures.len() > 1 && different.len() == failures.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_failures_are_cut_around_their_difference() {
        assert_eq!(around_difference(["exit code 1", "exit code 1: ä"]), ["exit code 1", "exit code 1: ä"]);
        let failure = |what: &str| format!("exit code 1: FAILED test_a.py::test_b - assert {what}{}", "é".repeat(200));
        let [mine, theirs] = around_difference([&failure("Oh"), &failure("oh")]);
        assert_eq!(mine, format!("...t_a.py::test_b - assert Oh{}...", "é".repeat(94)));
        assert_eq!(theirs, format!("...t_a.py::test_b - assert oh{}...", "é".repeat(94)));
    }
}
