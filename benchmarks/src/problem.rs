//! What is reduced: items of which some are needed, and some need others, made from a seed.

use firstbad::{ChangeSet, Outcome};
use firstbad_testkit::simulated::Random;

/// The maximum distance of a dependency.
const WINDOW: u64 = 16;

/// Items with an oracle that never errs.
pub(crate) struct Problem {
    /// For each item what it depends on.
    pub(crate) needs: Vec<Vec<usize>>,
    /// The smallest set that holds: the needed ones and all that they depend on.
    pub(crate) answer: ChangeSet,
    needed: Vec<usize>,
}

impl Problem {
    /// Any of the subsets of this size is as likely.
    pub(crate) fn scattered(count: usize, needed: usize, seed: u64) -> Self {
        let mut random = seeded(seed, count, needed);
        let needed = sample(count, needed, &mut random);
        Problem::new(count, needed, vec![Vec::new(); count])
    }

    /// Neighbours, at any place.
    pub(crate) fn clustered(count: usize, needed: usize, seed: u64) -> Self {
        let first = seeded(seed, count, needed).below((count - needed + 1) as u64) as usize;
        Problem::new(count, (first..first + needed).collect(), vec![Vec::new(); count])
    }

    /// Every second item depends on one of the 16 items before it.
    pub(crate) fn dependent(count: usize, needed: usize, seed: u64) -> Self {
        let mut random = seeded(seed, count, needed);
        let mut needs = vec![Vec::new(); count];
        for (item, needs) in needs.iter_mut().enumerate().skip(1) {
            if random.chance(500) {
                needs.push(item - 1 - random.below(WINDOW.min(item as u64)) as usize);
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
        Problem { needs, answer, needed }
    }

    /// Unresolved where an item misses what it depends on, else pass where all needed ones are there.
    pub(crate) fn outcome(&self, set: &ChangeSet) -> Outcome {
        let stands = |item: usize| self.needs[item].iter().all(|&other| set.contains(other));
        if !set.iter().all(stands) {
            Outcome::Unresolved
        } else if self.holds(set) {
            Outcome::Pass
        } else {
            Outcome::Fail
        }
    }

    /// Returns whether all needed items are there.
    pub(crate) fn holds(&self, set: &ChangeSet) -> bool {
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
