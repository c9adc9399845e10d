//! Group testing side by side: several stretches at once, each where a test tells most beside the others.

use fixedbitset::FixedBitSet;

use super::{Lookup, Nested, Pool, Proposal, highest};
use crate::reduction::density::Stretch;
use crate::reduction::requirements::Requirements;

/// Where something may be taken away.
#[derive(Debug, Clone, Copy)]
pub(super) struct Front {
    pub(super) low: usize,
    pub(super) high: usize,
    /// Whether at least one unit cannot go, and then whether the property is known to need it.
    pub(super) known: Option<bool>,
}

impl Front {
    pub(super) fn of(pool: &Pool) -> Self {
        Front { low: pool.low, high: pool.high, known: Some(pool.proved) }
    }
}

impl Nested {
    /// At most `want` sets worth asking beside those in flight, none of them known.
    pub(in crate::reduction) fn choose(
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
        for (front, tests) in self.fronts(&free, want) {
            let Front { low, high, known: at_least_one } = front;
            for test in 0..tests {
                let len = free.count_ones(low..high);
                if len == 0 {
                    break;
                }
                let rest = tests - test;
                // All that is left of a pool in which nothing else flies would surely not go.
                let all = at_least_one.filter(|_| len == self.undecided.count_ones(low..high));
                let share = if all.is_some() { 1.0 / (rest + 1) as f64 } else { 0.5 };
                let most = if all.is_some() { len } else { len.div_ceil(rest) };
                let mut units = self.top(&free, Front { known: all, ..front }, share);
                if units.count_ones(..) > most {
                    units = highest(&free, low, high, most);
                }
                free.difference_with(&units);
                if let Proposal::Ask(set) = self.without(&units, requirements) {
                    let mut gone = self.believed.clone();
                    gone.difference_with(&set);
                    let dragged = self.units.touched_by(gone).count_ones(..) > units.count_ones(..);
                    if !dragged && known(&set).is_none() && !in_flight.contains(&set) {
                        found.push(set);
                    }
                }
            }
        }
        if found.is_empty() && in_flight.is_empty() {
            found.extend(self.next.clone());
        }
        found.truncate(want);
        found
    }

    /// Where to test side by side, and how often in each place: one test after another goes where it tells most.
    fn fronts(&self, free: &FixedBitSet, want: usize) -> Vec<(Front, usize)> {
        let mut fronts: Vec<(Front, usize, f64)> = self
            .pools
            .iter()
            .filter(|pool| free.count_ones(pool.low..pool.high) > 0)
            .map(|pool| (Front::of(pool), 0, 0.0))
            .collect();
        fronts.sort_by_key(|(front, ..)| std::cmp::Reverse(front.high));
        // What lies between pools, from the newest on.
        let mut high = self.units.len();
        for low in fronts.iter().map(|(front, ..)| front.high).chain([0]).collect::<Vec<_>>() {
            let len = free.count_ones(low..high.max(low));
            if len > 0 {
                let stretch = Stretch { len, weights: None, is_beside: false, near: 0 };
                fronts.push((Front { low, high, known: None }, 0, self.density.expected(stretch)));
            }
            high = fronts
                .iter()
                .filter(|(front, ..)| front.known.is_some() && front.high == low)
                .map(|(front, ..)| front.low)
                .min()
                .unwrap_or(0);
        }
        for _ in 0..want {
            let gain = |(front, tests, expected): &(Front, usize, f64)| {
                let room = free.count_ones(front.low..front.high);
                let more = ((tests + 2) as f64 / (tests + 1) as f64).log2();
                match (*tests >= room, front.known.is_some()) {
                    (true, _) => 0.0,
                    (_, true) => more,
                    (_, false) if *expected > *tests as f64 => 1.0,
                    (_, false) => more * (1.0 - (-expected).exp()).max(0.1),
                }
            };
            let best = fronts.iter_mut().max_by(|one, other| gain(one).total_cmp(&gain(other)));
            match best {
                Some(front) if gain(front) > 0.0 => front.1 += 1,
                _ => break,
            }
        }
        fronts.into_iter().filter(|front| front.1 > 0).map(|(front, tests, _)| (front, tests)).collect()
    }
}
