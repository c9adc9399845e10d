//! Hints: additional tests that remove everything that facts suggest at once.
//!
//! The search itself does not depend on facts. A hint that holds makes the slice smaller, and a hint that does not hold is
//! lost. At most one outcome [in this many](TOLERATED), plus one, is a lost hint, so misleading facts cost little.

use fixedbitset::FixedBitSet;

use super::dependencies::Dependencies;
use super::significance::Significance;
use crate::reduction::TestedSets;

/// The number of outcomes for each tolerated lost hint.
const TOLERATED: usize = 20;

/// The results of hints.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// The set to test.
    next: Option<FixedBitSet>,
    /// Hints that did not hold.
    failed: Vec<FixedBitSet>,
    answers: usize,
}

impl Hints {
    pub(super) fn next(&self) -> Option<&FixedBitSet> {
        self.next.as_ref()
    }

    /// Records the outcome of a set, and returns whether the set was a hint.
    pub(super) fn absorb(&mut self, set: &FixedBitSet, holds: bool) -> bool {
        self.answers += 1;
        let is_hint = self.next.as_ref() == Some(set);
        if is_hint {
            self.next = None;
            if !holds {
                self.failed.push(set.clone());
            }
        }
        is_hint
    }

    /// Returns whether a set was a lost hint.
    pub(super) fn is_lost(&self, set: &FixedBitSet) -> bool {
        self.failed.contains(set)
    }

    /// Looks for the next hint in the current slice, which keeps the `fixed` changes.
    pub(super) fn look(
        &mut self,
        tested: &TestedSets,
        fixed: &FixedBitSet,
        significance: &Significance,
        dependencies: &Dependencies,
    ) {
        self.next = None;
        if self.failed.len() > self.answers / TOLERATED {
            return;
        }
        let scores = &significance.scores;
        let Some(charged) = significance.charged() else { return };
        let is_quiet = |change: usize| scores[change] < 0 || scores[change] == 0 && !charged.contains(&change);
        let rules: [&dyn Fn(usize) -> bool; 3] =
            [&is_quiet, &|change| scores[change] < 0, &|change| scores[change] <= 0];
        let hints = rules.into_iter().filter_map(|may_go| {
            let mut stays = tested.best.clone();
            tested.best.difference(fixed).filter(|&change| may_go(change)).for_each(|change| stays.remove(change));
            dependencies.complete(&mut stays);
            stays.intersect_with(&tested.best);
            let gone = tested.best.difference_count(&stays);
            // Subsets of a set that did not hold will most likely not hold.
            let is_new = tested.known(&stays).is_none() && !self.failed.iter().any(|failed| stays.is_subset(failed));
            (gone > 1 && !stays.is_clear() && is_new).then_some(stays)
        });
        self.next = hints.take(1).next();
    }
}
