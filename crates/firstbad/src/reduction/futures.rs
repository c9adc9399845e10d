//! What will be asked after answers that are still out: each is supposed to come either way, the likelier first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use hashbrown::HashSet;

use super::verdicts::Verdict;

/// So many sets at least are looked for to see which of those in flight are wanted.
const AHEAD: usize = 16;

/// How far is looked.
pub(super) struct Looking<'a> {
    /// At most so many sets are found.
    want: usize,
    /// Sets that are asked already.
    in_flight: &'a [FixedBitSet],
    /// For each set that is found or in flight so many suppositions are made.
    effort: usize,
}

impl<'a> Looking<'a> {
    /// For what to ask beside sets in flight.
    pub(super) fn beside(in_flight: &'a [FixedBitSet], want: usize, effort: usize) -> Self {
        Looking { want, in_flight, effort }
    }

    /// For which of so many sets in flight are wanted: as far as was looked for them, with the same `effort`.
    pub(super) fn again(in_flight: usize, effort: usize) -> Self {
        Looking { want: in_flight.max(AHEAD), in_flight: &[], effort: effort * in_flight.div_ceil(AHEAD).max(1) }
    }
}

/// At most so many sets that will most likely be asked, beside those in flight. `holds` is how likely a set holds, `next`
/// what a state asks, `suppose` the state after a verdict about that.
pub(super) fn likeliest<S>(
    start: S,
    looking: &Looking<'_>,
    holds: f64,
    next: impl Fn(&S) -> Option<FixedBitSet>,
    suppose: impl Fn(&S, &FixedBitSet, Verdict) -> S,
) -> Vec<FixedBitSet> {
    let &Looking { want, in_flight, effort } = looking;
    let mut futures = BinaryHeap::from([Future { chance: 1.0, age: 0, state: start }]);
    let mut met: HashSet<FixedBitSet> = in_flight.iter().cloned().collect();
    let (mut found, mut age) = (Vec::new(), 0);
    while let Some(Future { chance: likely, state, .. }) = futures.pop() {
        let Some(set) = next(&state) else { continue };
        if !met.contains(&set) {
            met.insert(set.clone());
            found.push(set.clone());
        }
        if found.len() >= want || age >= effort * AHEAD.max(in_flight.len() + found.len()) {
            break;
        }
        for (verdict, chance) in [(Verdict::Holds, holds), (Verdict::Fails, 1.0 - holds)] {
            age += 1;
            futures.push(Future { chance: likely * chance, age, state: suppose(&state, &set, verdict) });
        }
    }
    found
}

/// What may come, with how likely it is.
struct Future<S> {
    chance: f64,
    /// Which came first, among those as likely.
    age: usize,
    state: S,
}

impl<S> PartialEq for Future<S> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<S> Eq for Future<S> {}

impl<S> PartialOrd for Future<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S> Ord for Future<S> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.chance.total_cmp(&other.chance).then(other.age.cmp(&self.age))
    }
}
