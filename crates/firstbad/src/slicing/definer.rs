//! Dynamic delta refinement (DEFINER; Li et al. 2016, Figure 9).
//!
//! ```text
//!     init         H* = H, I = Inv(H, t), and sigma(d) = 0 for each change d of H
//!
//!     partition    H* into H' and H'', neither empty. H' is kept, and H'' is reverted
//!       par-rand     at random, if |H*| > 1
//!       par-sig      so that sigma(d') >= sigma(d'') for all d' in H' and d'' in H''
//!
//!     execution and learning, with I' = Inv(H', t)
//!       pass         t passes with H'                  sigma falls by I - I', H* = H', I = I'
//!       fail-1       t fails with H', and |H''| = 1    sigma rises by I - I'
//!       fail-n       t fails with H', and |H''| > 1
//! ```
//!
//! This file contains the partition: by significance first, then at random. H'' grows after a pass and shrinks after a round
//! without one. `significance.rs` learns, and `facts.rs` has the invariants.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

use super::config::Scheme;
use super::dependencies::Dependencies;
use crate::reduction::TestedSets;

#[derive(Debug, Clone)]
pub(super) struct Definer {
    scheme: Scheme,
    /// H*, the current valid slice.
    kept: FixedBitSet,
    /// The size of a random H''.
    size: usize,
    /// The sets H' to test, one for each H''.
    parts: VecDeque<FixedBitSet>,
    /// Whether every single change of H* is reverted by one of the parts.
    is_last: bool,
    random: u64,
}

/// The inputs of the refinement.
#[derive(Clone, Copy)]
pub(super) struct Guide<'a> {
    pub(super) tested: &'a TestedSets,
    pub(super) dependencies: &'a Dependencies,
    /// sigma: the significance of each change.
    pub(super) scores: &'a [i64],
}

impl Definer {
    pub(super) fn new(scheme: Scheme, seed: u64, guide: Guide<'_>) -> Self {
        let kept = guide.tested.best.clone();
        let size = kept.count_ones(..).div_ceil(2);
        let mut definer = Definer { scheme, kept, size, parts: VecDeque::new(), is_last: false, random: seed };
        definer.partition(guide);
        definer.settle(guide);
        definer
    }

    /// Applies known verdicts until a set must be tested.
    pub(super) fn settle(&mut self, guide: Guide<'_>) {
        loop {
            if guide.tested.best.count_ones(..) < self.kept.count_ones(..) {
                self.kept.clone_from(&guide.tested.best);
                self.size = (2 * self.size).min(self.kept.count_ones(..).div_ceil(2)).max(1);
                self.partition(guide);
            }
            while self.parts.front().is_some_and(|set| guide.tested.known(set).is_some()) {
                self.parts.pop_front();
            }
            if !self.parts.is_empty() || !self.refine(guide) {
                return;
            }
        }
    }

    /// Makes finer parts. Returns false if there are none.
    fn refine(&mut self, guide: Guide<'_>) -> bool {
        if self.is_last {
            return false;
        }
        self.size = self.size.div_ceil(2);
        self.partition(guide);
        true
    }

    pub(super) fn is_over(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns at most `want` sets to test that are not in flight, assuming that earlier ones do not hold.
    pub(super) fn choose(&self, want: usize, in_flight: &[FixedBitSet], guide: Guide<'_>) -> Vec<FixedBitSet> {
        let mut found: Vec<FixedBitSet> = Vec::new();
        let mut ahead = self.clone();
        loop {
            for set in &ahead.parts {
                let is_new = !in_flight.contains(set) && !found.contains(set) && guide.tested.known(set).is_none();
                if is_new && found.len() < want {
                    found.push(set.clone());
                }
            }
            if found.len() == want || !ahead.refine(guide) {
                return found;
            }
        }
    }

    pub(super) fn wants(&self, set: &FixedBitSet) -> bool {
        set.count_ones(..) < self.kept.count_ones(..)
    }

    /// Divides H* into parts. The partition is fair: in the end, each single change is reverted.
    fn partition(&mut self, guide: Guide<'_>) {
        self.parts.clear();
        let members: Vec<usize> = self.kept.ones().collect();
        for reverted in self.par_sig(&members, guide.scores) {
            self.revert(&reverted, guide);
        }
        for reverted in self.par_rand(members).chunks(self.size.max(1)) {
            self.revert(reverted, guide);
        }
        self.is_last = self.size <= 1;
    }

    /// Returns the changes of H* in random order.
    fn par_rand(&mut self, mut members: Vec<usize>) -> Vec<usize> {
        for place in (1..members.len()).rev() {
            let other = self.draw() % (place as u64 + 1);
            members.swap(place, other as usize);
        }
        members
    }

    /// Returns parts H'' by significance: every change that stays is at least as significant.
    fn par_sig(&self, members: &[usize], scores: &[i64]) -> Vec<Vec<usize>> {
        let below = |limit: i64| members.iter().copied().filter(|&change| scores[change] < limit).collect::<Vec<_>>();
        let lowest = || {
            let mut sorted = members.to_vec();
            // Newest first among equal scores.
            sorted.sort_unstable_by_key(|&change| (scores[change], std::cmp::Reverse(change)));
            sorted.truncate(members.len() / 3);
            sorted
        };
        if members.iter().all(|&change| scores[change] == 0) {
            return Vec::new();
        }
        let parts = match self.scheme {
            Scheme::Random => Vec::new(),
            Scheme::Neg => vec![below(0)],
            Scheme::Nonpos => vec![below(1)],
            Scheme::Low => vec![lowest()],
            Scheme::Combined => vec![below(0), below(1), lowest()],
        };
        parts.into_iter().filter(|part| !part.is_empty() && part.len() < members.len()).collect()
    }

    /// Adds the H' without an H''. Changes that others depend on stay. If they are the H'', their dependents are reverted
    /// too.
    fn revert(&mut self, part: &[usize], guide: Guide<'_>) {
        let mut set = self.kept.clone();
        part.iter().for_each(|&change| set.remove(change));
        let mut closed = set.clone();
        let gone: FixedBitSet = part.iter().copied().collect();
        guide.dependencies.close(&mut closed, &gone);
        if closed != set && part.len() > 1 {
            let free = |change: &usize| {
                let (mut alone, gone) = (self.kept.clone(), FixedBitSet::from_iter([*change]));
                alone.remove(*change);
                guide.dependencies.close(&mut alone, &gone);
                self.kept.difference(&alone).all(|other| part.contains(&other))
            };
            closed.clone_from(&self.kept);
            part.iter().filter(|change| free(change)).for_each(|&change| closed.remove(change));
        }
        if closed != self.kept && !self.parts.contains(&closed) {
            self.parts.push_back(closed);
        }
    }

    /// Returns the next number of the seeded sequence (splitmix64).
    fn draw(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
