//! Confirmation of a result. Before a search names a culprit, it runs the culprit and its parents again, unless they already had
//! suitable runs.
//!
//! A reliable test can still fail because of its environment. Examples are a service that goes down, a port that a parallel run
//! uses, or a file from an earlier build. Only a run that was alone and built from a clean worktree counts here.

use super::ledger::{Ledger, LedgerEntry};
use super::observation::Observation;
use super::outcome::Outcome;
use super::probe::Key;

/// A claim that a result depends on, with outcomes as the oracle reports them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The culprit, or another revision whose outcome ends the search.
    pub key: Key,
    /// The outcome of `key`.
    pub outcome: Outcome,
    /// The parents of the culprit, which have the opposite outcome.
    pub parents: Vec<Key>,
}

/// The state of the confirmation of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmation {
    /// Every claim is confirmed, or nothing is claimed.
    Settled,
    /// This target must be run again, alone.
    Needs(Key),
    /// Two runs of one target differ.
    Changed(Change),
}

/// Two different outcomes of one target, as indices into [`Ledger::answers`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The target.
    pub key: Key,
    /// The index of the outcome that the search used.
    pub first: usize,
    /// The index of the outcome that differs from it.
    pub second: usize,
}

/// The number of consecutive runs with the opposite outcome after which the culprit is run again.
const OPPOSITES: usize = 2;

/// Whether an outcome comes from a run that was alone and reused nothing.
fn is_undisturbed(entry: &LedgerEntry) -> bool {
    entry.probe.is_some() && entry.is_alone && entry.observation.ran && !entry.observation.reused
}

/// Whether the caller reported the outcome without being asked. Such an outcome is trusted. An outcome from a store is
/// not, because it may come from another commit with the same files.
fn is_told(entry: &LedgerEntry) -> bool {
    entry.probe.is_none() && !entry.observation.reused
}

impl Claim {
    /// Returns the state of the confirmation of this claim.
    ///
    /// The culprit needs an undisturbed run after some run with the opposite outcome. Otherwise, all earlier runs may have failed
    /// for a reason that has gone away. The same applies if the search ended with several opposite outcomes in a row. Each parent
    /// needs an undisturbed run after the first run of the culprit. Otherwise, all later runs may fail for a new reason.
    /// `is_other` returns whether an observation shows another failure than the one searched for.
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
        // After several opposite outcomes in a row, the reason for the culprit's outcome may have gone away.
        let is_recent = || is_told(first.1) || ledger.opposite_since(self.outcome) < OPPOSITES;
        if self.parents.is_empty() || is_late() && is_recent() {
            Confirmation::Settled
        } else {
            Confirmation::Needs(self.key)
        }
    }
}

impl Claim {
    /// Whether the culprit and each parent had an undisturbed run, and not only reported outcomes.
    pub fn was_run(&self, ledger: &Ledger) -> bool {
        let was_run = |&key: &Key| ledger.answers_for(key).any(|(_, entry)| is_undisturbed(entry));
        was_run(&self.key) && self.parents.iter().all(was_run)
    }
}

/// Returns the state of the confirmation of all claims. A changed outcome takes precedence over a missing run.
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
