//! What is reduced: items of which some are needed, and some need others, made from a seed.

use firstbad::{ChangeSet, Outcome};
use firstbad_testkit::simulated::Random;

/// How far back an item's dependency lies, at most.
const WINDOW: u64 = 16;

/// Items with an oracle that never errs.
pub(super) struct Problem {
    pub(super) count: usize,
    /// For each item what it depends on.
    pub(super) needs: Vec<Vec<usize>>,
    /// The smallest set that holds: the needed ones and all that they depend on.
    pub(super) answer: ChangeSet,
    needed: Vec<usize>,
}

impl Problem {
    /// Any of the subsets of this size is as likely.
    pub(super) fn scattered(count: usize, needed: usize, seed: u64) -> Self {
        let mut random = seeded(seed, count, needed);
        let needed = sample(count, needed, &mut random);
        Problem::new(count, needed, vec![Vec::new(); count])
    }

    /// Neighbours, at any place.
    pub(super) fn clustered(count: usize, needed: usize, seed: u64) -> Self {
        let first = seeded(seed, count, needed).below((count - needed + 1) as u64) as usize;
        Problem::new(count, (first..first + needed).collect(), vec![Vec::new(); count])
    }

    /// An item in `depend` of 1,000 depends on one of the 16 before it; of those dependencies, `turned` in 1,000 point
    /// the other way round. There are no cycles: every item has one edge, at most, to those before it.
    pub(super) fn dependent(count: usize, needed: usize, depend: u64, turned: u64, seed: u64) -> Self {
        let mut random = seeded(seed, count, needed);
        let mut needs = vec![Vec::new(); count];
        for item in 1..count {
            if random.chance(depend) {
                let earlier = item - 1 - random.below(WINDOW.min(item as u64)) as usize;
                let (from, to) = if random.chance(turned) { (earlier, item) } else { (item, earlier) };
                needs[from].push(to);
            }
        }
        let needed = sample(count, needed, &mut random);
        Problem::new(count, needed, needs)
    }

    fn new(count: usize, needed: Vec<usize>, needs: Vec<Vec<usize>>) -> Self {
        let mut is_in = vec![false; count];
        let mut open = needed.clone();
        while let Some(item) = open.pop() {
            if !std::mem::replace(&mut is_in[item], true) {
                open.extend(&needs[item]);
            }
        }
        let answer = (0..count).filter(|&item| is_in[item]).collect();
        Problem { count, needs, answer, needed }
    }

    /// Unresolved where an item misses what it depends on, else pass where all needed ones are there.
    pub(super) fn outcome(&self, set: &ChangeSet) -> Outcome {
        let stands = |item: usize| self.needs[item].iter().all(|&other| set.contains(other));
        if !set.iter().all(stands) {
            Outcome::Unresolved
        } else if self.holds(set) {
            Outcome::Pass
        } else {
            Outcome::Fail
        }
    }

    /// Whether all needed items are there.
    pub(super) fn holds(&self, set: &ChangeSet) -> bool {
        self.needed.iter().all(|&item| set.contains(item))
    }
}

fn seeded(seed: u64, count: usize, needed: usize) -> Random {
    Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ ((count as u64) << 32) ^ needed as u64)
}

fn sample(count: usize, wanted: usize, random: &mut Random) -> Vec<usize> {
    let mut items: Vec<usize> = (0..count).collect();
    for place in 0..wanted {
        let other = place + random.below((count - place) as u64) as usize;
        items.swap(place, other);
    }
    items.truncate(wanted);
    items
}
