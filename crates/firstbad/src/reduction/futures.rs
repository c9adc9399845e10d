//! Lookahead: assumes each possible verdict of the tests in flight, most likely first, to find the sets to test next.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use hashbrown::HashSet;

use super::verdicts::Verdict;

/// The least number of sets to find when checking which sets in flight are still wanted.
const AHEAD: usize = 16;

/// The limits of a lookahead.
pub(super) struct Looking<'a> {
    /// The largest number of sets to find.
    want: usize,
    in_flight: &'a [FixedBitSet],
    /// The number of assumptions for each set that is found or in flight.
    effort: usize,
}

impl<'a> Looking<'a> {
    /// Limits for finding sets to test while others are in flight.
    pub(super) fn beside(in_flight: &'a [FixedBitSet], want: usize, effort: usize) -> Self {
        Looking { want, in_flight, effort }
    }

    /// Limits for checking which sets in flight are still wanted, with the same `effort`.
    pub(super) fn again(in_flight: usize, effort: usize) -> Self {
        Looking { want: in_flight.max(AHEAD), in_flight: &[], effort: effort * in_flight.div_ceil(AHEAD).max(1) }
    }
}

/// Returns at most `want` sets that will most likely be tested and are not in flight.
///
/// `holds` is the probability that a set holds, `next` returns the set that a state tests, and `suppose` returns the state
/// after a verdict.
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

/// A possible state with its probability.
struct Future<S> {
    chance: f64,
    /// Breaks ties between equal probabilities.
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
