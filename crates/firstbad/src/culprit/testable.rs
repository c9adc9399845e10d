//! Which suspects can be tested, and what to test instead of those that cannot.

use super::belief::{Belief, Partition};
use super::costs::Costs;
use crate::belief::Blocks;

/// Places from which the best one is chosen by a score.
pub(crate) struct Testable<'a> {
    belief: &'a Belief,
    costs: &'a Costs,
    /// Unresolved stretches; made only if there are any.
    blocks: Blocks,
}

impl<'a> Testable<'a> {
    pub(crate) fn new(belief: &'a Belief, costs: &'a Costs) -> Self {
        Testable { belief, costs, blocks: Blocks::new(belief.unresolved()) }
    }

    /// How likely a place can be tested, per cost; 0 if it cannot.
    pub(crate) fn worth(&self, place: usize) -> f64 {
        if self.belief.is_unresolved(place) {
            return 0.0;
        }
        let chance = if self.blocks.is_empty() { 1.0 } else { self.blocks.chance(place) };
        // Places between unresolved ones, in what is taken for a block, are a last resort and no impossibility.
        chance.max(LAST_RESORT) / self.costs.at(place)
    }

    /// The place with the highest `score` times worth, the first of equals; `None` if no score is above 0. On a
    /// line, `wishes` are places where the score is highest in each stretch between tested revisions, falling off on
    /// both sides; elsewhere every suspect is looked at.
    pub(crate) fn best(&self, wishes: &[usize], score: impl Fn(usize) -> f64) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        let mut consider = |place: usize| {
            let value = score(place) * self.worth(place);
            if value > best.map_or(TINY, |best| best.1) {
                best = Some((place, value));
            }
        };
        match self.belief.partition() {
            Partition::Dag(class_of) => (0..class_of.len()).for_each(consider),
            Partition::Line(_) => self.near(wishes).into_iter().for_each(&mut consider),
        }
        best.map(|best| best.0)
    }

    /// The places that were wished for, or those next to them if they cannot be tested or have a cost of their own;
    /// with every place that has one, and steps out of each unresolved stretch.
    pub(crate) fn near(&self, wishes: &[usize]) -> Vec<usize> {
        let unresolved = self.belief.unresolved();
        if self.costs.is_even() && unresolved.is_empty() {
            return wishes.to_vec();
        }
        let last = self.belief.suspects.last();
        let plain = |place: &usize| !self.belief.is_unresolved(*place) && !self.costs.has_own(*place);
        let mut places = Vec::new();
        for &wish in wishes {
            places.extend((wish..=last).find(plain));
            places.extend((0..wish).rev().find(plain));
        }
        places.extend(self.costs.places());
        // With steps that double, as in a search for where a stretch ends.
        let steps = || (0..usize::BITS).map(|power| 1usize << power);
        for (number, &place) in unresolved.iter().enumerate() {
            let before = number.checked_sub(1).map(|before| unresolved[before]);
            if before.is_none_or(|before| before + 1 < place) {
                places.extend(steps().map_while(|step| place.checked_sub(step)));
            }
            if unresolved.get(number + 1).is_none_or(|&next| place + 1 < next) {
                places.extend(steps().map_while(|step| Some(place + step).filter(|&to| to <= last)));
            }
        }
        places
    }
}

/// The worth of testing if everything around is unresolved, in comparison.
const LAST_RESORT: f64 = 1e-3;

/// Scores below this are rounding.
const TINY: f64 = 1e-12;
