//! The last look at an answer: before a culprit is named, what it rests on is run once more, unless it was seen so already.
//!
//! A test that is reliable by itself still fails because of what is around it: a service that goes down during the search, a
//! port that a parallel run holds, a file that an earlier build left. A run counts here if nothing ran beside it and if it
//! built from a clean worktree.

use super::ledger::{Ledger, LedgerEntry};
use super::observation::{Observation, Outcome};
use super::probe::Key;

/// What an answer rests on, in outcomes as the oracle tells them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The culprit, or a revision whose outcome ends the search.
    pub key: Key,
    /// Its outcome.
    pub outcome: Outcome,
    /// The parents of the culprit, which have the opposite outcome.
    pub parents: Vec<Key>,
}

/// Where the confirmation of an answer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmation {
    /// Every claim was seen as it has to be, or there is none.
    Settled,
    /// This target has to be run once more, by itself.
    Needs(Key),
    /// Two runs of one target differ.
    Changed(Change),
}

/// Two answers for one target that differ, as places among [`Ledger::answers`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The target.
    pub key: Key,
    /// The answer that the search went by.
    pub first: usize,
    /// The answer that differs from it.
    pub second: usize,
}

/// Whether a run is one that an answer may rest on.
fn is_undisturbed(entry: &LedgerEntry) -> bool {
    entry.probe.is_some() && entry.is_alone && entry.observation.ran && !entry.observation.reused
}

/// Whether somebody told the outcome without being asked. It is taken as told; one from a store is not, for it may be that of
/// another commit with the same files.
fn is_told(entry: &LedgerEntry) -> bool {
    entry.probe.is_none() && !entry.observation.reused
}

impl Claim {
    /// Where the confirmation of this claim stands.
    ///
    /// The culprit needs an undisturbed run, and one that came after some run with the opposite outcome: otherwise all that
    /// came before may have failed for a reason that is gone by now. Each parent needs an undisturbed run that came after the
    /// culprit's first one: otherwise all that came after may fail for a new reason.
    /// `is_other` says whether a failure is another one than that which is searched for.
    pub fn check(&self, ledger: &Ledger, is_other: &dyn Fn(&Observation) -> bool) -> Confirmation {
        let differs = |entry: &LedgerEntry, expected: Outcome| {
            entry.observation.outcome != expected || is_other(&entry.observation)
        };
        let expected = |key: Key| if key == self.key { self.outcome } else { self.outcome.swapped() };
        for key in std::iter::once(self.key).chain(self.parents.iter().copied()) {
            let first = ledger.first_answer(key).map_or(usize::MAX, |(place, _)| place);
            let change = ledger.answers_for(key).find(|(_, entry)| differs(entry, expected(key)));
            if let Some((second, _)) = change {
                return Confirmation::Changed(Change { key, first, second });
            }
        }
        let undisturbed =
            |key: Key| ledger.answers_for(key).filter(|(_, entry)| is_undisturbed(entry) || is_told(entry));
        let Some(first) = undisturbed(self.key).next().and_then(|_| ledger.first_answer(self.key)) else {
            return Confirmation::Needs(self.key);
        };
        let is_missing = |&&parent: &&Key| {
            !undisturbed(parent).any(|(place, entry)| place > first.0 || is_told(entry) || is_told(first.1))
        };
        if let Some(&parent) = self.parents.iter().find(is_missing) {
            return Confirmation::Needs(parent);
        }
        let opposite = ledger.first_with(self.outcome.swapped());
        let is_late = || {
            opposite
                .is_none_or(|opposite| undisturbed(self.key).any(|(place, entry)| place > opposite || is_told(entry)))
        };
        if self.parents.is_empty() || is_late() { Confirmation::Settled } else { Confirmation::Needs(self.key) }
    }
}

impl Claim {
    /// Whether each of its runs was one that an answer may rest on, and none was only told.
    pub fn was_run(&self, ledger: &Ledger) -> bool {
        let was_run = |&key: &Key| ledger.answers_for(key).any(|(_, entry)| is_undisturbed(entry));
        was_run(&self.key) && self.parents.iter().all(was_run)
    }
}

/// Where the confirmation of all claims stands: what has changed first, then what is missing.
pub(super) fn confirmation(claims: &[Claim], ledger: &Ledger, is_other: &dyn Fn(&Observation) -> bool) -> Confirmation {
    let mut missing = Confirmation::Settled;
    for claim in claims {
        match claim.check(ledger, is_other) {
            changed @ Confirmation::Changed(_) => return changed,
            needs @ Confirmation::Needs(_) if missing == Confirmation::Settled => missing = needs,
            Confirmation::Needs(_) | Confirmation::Settled => {}
        }
    }
    missing
}
