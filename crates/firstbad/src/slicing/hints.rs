//! What facts say may go, all of it at once: questions beside those of the search without facts, and few of them.
//!
//! The search itself is the same with facts and without. A hint that holds makes what is left smaller; one that does not is
//! lost, and of these there are at most [one in so many](TOLERATED) answers and one more: so learning cannot do harm beyond
//! that, whatever the facts are.

use fixedbitset::FixedBitSet;

use super::dependencies::Dependencies;
use super::significance::Significance;
use crate::reduction::TestedSets;

/// Of so many answers one may be that to a hint which was lost.
const TOLERATED: usize = 20;

/// What hints came to.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// The set to be asked.
    next: Option<FixedBitSet>,
    /// Sets that were hints and did not hold.
    failed: Vec<FixedBitSet>,
    answers: usize,
}

impl Hints {
    pub(super) fn next(&self) -> Option<&FixedBitSet> {
        self.next.as_ref()
    }

    /// Takes in that a set was answered; whether it was a hint.
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

    /// Whether a set was a hint that was lost.
    pub(super) fn is_lost(&self, set: &FixedBitSet) -> bool {
        self.failed.contains(set)
    }

    /// Looks for the next hint about what is left.
    pub(super) fn look(&mut self, tested: &TestedSets, significance: &Significance, dependencies: &Dependencies) {
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
            tested.best.ones().filter(|&change| may_go(change)).for_each(|change| stays.remove(change));
            dependencies.complete(&mut stays);
            stays.intersect_with(&tested.best);
            let gone = tested.best.difference_count(&stays);
            // What is within a set that did not hold will most likely not hold.
            let is_new = tested.known(&stays).is_none() && !self.failed.iter().any(|failed| stays.is_subset(failed));
            (gone > 1 && !stays.is_clear() && is_new).then_some(stays)
        });
        self.next = hints.take(1).next();
    }
}
