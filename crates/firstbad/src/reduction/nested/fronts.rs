//! Parallel group testing: tests several stretches at the same time.

use fixedbitset::FixedBitSet;

use super::{Front, Nested, Proposal, highest};
use crate::reduction::density::Stretch;
use crate::reduction::requirements::Requirements;
use crate::reduction::verdicts::Lookup;

impl Nested {
    /// Returns at most `want` untested sets that are worth testing and not in flight.
    pub(in crate::reduction) fn side_by_side(
        &self,
        want: usize,
        in_flight: &[FixedBitSet],
        known: Lookup<'_>,
        requirements: Option<&Requirements>,
    ) -> Vec<FixedBitSet> {
        if want == 1 && in_flight.is_empty() {
            return self.next.clone().into_iter().collect();
        }
        let mut found = Vec::new();
        let mut free = self.undecided.clone();
        for set in in_flight {
            let mut gone = self.believed.clone();
            gone.difference_with(set);
            free.difference_with(&self.units.touched_by(gone));
        }
        if self.undecided.is_clear() {
            return self.next.iter().filter(|set| !in_flight.contains(set)).take(1).cloned().collect();
        }
        for FrontTests { front, tests, even } in self.shares(&free, want) {
            let Front { low, high, known: at_least_one } = front;
            for rest in (1..=tests).rev() {
                let len = free.count_ones(low..high);
                if len == 0 {
                    break;
                }
                // If all that is left of a pool were removed, the set would certainly fail.
                let all = at_least_one.filter(|_| len == self.undecided.count_ones(low..high));
                let (share, most) = match all {
                    Some(_) => (1.0 / (rest + 1) as f64, len),
                    None => (0.5, len.div_ceil(rest)),
                };
                let mut units = self.top(&free, Front { known: all, ..front }, share);
                if units.count_ones(..) > most || even {
                    units = highest(&free, low, high, most);
                }
                free.difference_with(&units);
                found.extend(
                    self.alone(&units, requirements).filter(|set| known(set).is_none() && !in_flight.contains(set)),
                );
            }
        }
        if found.is_empty() && in_flight.is_empty() {
            found.extend(self.next.clone());
        }
        found.truncate(want);
        found
    }

    /// Returns the set without some units, or `None` if other units would have to go as well.
    fn alone(&self, units: &FixedBitSet, requirements: Option<&Requirements>) -> Option<FixedBitSet> {
        let Proposal::Ask(set) = self.without(units, requirements) else { return None };
        let mut gone = self.believed.clone();
        gone.difference_with(&set);
        (self.units.touched_by(gone) == *units).then_some(set)
    }

    /// Distributes the tests over the fronts: each test goes to the front with the highest gain.
    fn shares(&self, free: &FixedBitSet, want: usize) -> Vec<FrontTests> {
        let mut pools = self.pools.clone();
        pools.sort_by_key(|pool| std::cmp::Reverse(pool.high));
        let mut fronts: Vec<Front> = pools.iter().map(Front::of).collect();
        let mut high = self.units.len();
        for pool in &pools {
            fronts.push(Front { low: pool.high, high, known: None });
            high = pool.low;
        }
        fronts.push(Front { low: 0, high, known: None });
        let room = |front: &Front| free.count_ones(front.low..front.high);
        let expected = |front: &Front| {
            let stretch = Stretch { len: room(front), weights: None, is_beside: false, near: 0 };
            self.density.expected(stretch)
        };
        let mut shares: Vec<(FrontTests, usize, f64)> = fronts
            .into_iter()
            .filter(|front| front.low < front.high && room(front) > 0)
            .map(|front| (FrontTests { front, tests: 0, even: false }, room(&front), expected(&front)))
            .collect();
        for _ in 0..want {
            let gain = |(share, room, expected): &(FrontTests, usize, f64)| {
                let more = ((share.tests + 2) as f64 / (share.tests + 1) as f64).log2();
                match share.front.known {
                    _ if share.tests >= *room => 0.0,
                    Some(_) => more,
                    // A first test in a front yields one bit, if the front has enough needed units.
                    None if *expected > share.tests as f64 => 1.0,
                    None => more * (1.0 - (-expected).exp()).max(0.1),
                }
            };
            match shares.iter_mut().max_by(|one, other| gain(one).total_cmp(&gain(other))) {
                Some(best) if gain(best) > 0.0 => best.0.tests += 1,
                _ => break,
            }
        }
        let even = |(share, _, expected): (FrontTests, usize, f64)| {
            let even = share.front.known.is_none() && share.tests > 1 && expected < share.tests as f64;
            FrontTests { even, ..share }
        };
        shares.into_iter().filter(|(share, ..)| share.tests > 0).map(even).collect()
    }
}

/// The number of tests in one front.
#[derive(Debug, Clone, Copy)]
struct FrontTests {
    front: Front,
    tests: usize,
    /// Whether to cut the front into equal pieces, because it has fewer needed units than tests.
    even: bool,
}
