//! Which suspects are worth a run, and alternatives to those that are not.

use super::belief::{Belief, Partition};
use super::costs::Costs;
use super::untestable::Untestable;

/// Chooses the best place by a score.
pub(crate) struct Testable<'a> {
    belief: &'a Belief,
    costs: &'a Costs,
    untestable: Untestable<'a>,
}

impl<'a> Testable<'a> {
    pub(crate) fn new(belief: &'a Belief, costs: &'a Costs) -> Self {
        Testable { belief, costs, untestable: Untestable::new(belief) }
    }

    /// Whether every suspect can be run.
    pub(crate) fn is_everything(&self) -> bool {
        self.untestable.is_empty()
    }

    /// Whether this place can be run.
    pub(crate) fn may_be_run(&self, place: usize) -> bool {
        !self.untestable.contains(place)
    }

    /// The probability that a place is resolved, per cost. 0 if the place cannot be run.
    pub(crate) fn worth(&self, place: usize) -> f64 {
        self.untestable.chance(place) / self.costs.at(place)
    }

    /// The place with the highest score times worth above 0. Ties go to the first. On a line, `wishes` are the places with the
    /// highest score in each range between tested revisions. On a DAG, every suspect is considered.
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

    /// The wished places, or their neighbors if they cannot be run or have a cost set by the caller. Adds all places with such a
    /// cost, and steps out of each unresolved block.
    pub(crate) fn near(&self, wishes: &[usize]) -> Vec<usize> {
        if self.costs.is_even() && self.is_everything() {
            return wishes.to_vec();
        }
        let last = self.belief.suspects.last();
        let plain = |place: &usize| self.may_be_run(*place) && !self.costs.has_own(*place);
        let mut places = Vec::new();
        for &wish in wishes {
            places.extend((wish..=last).find(plain));
            places.extend((0..wish).rev().find(plain));
        }
        places.extend(self.costs.places());
        // Double the steps, as in an exponential search for the end of a block.
        let steps = || (0..usize::BITS).map(|power| 1usize << power);
        for (first, last_of_block) in self.untestable.blocks_on_a_line() {
            places.extend(steps().map_while(|step| first.checked_sub(step)));
            places.extend(steps().map_while(|step| Some(last_of_block + step).filter(|&to| to <= last)));
        }
        places
    }
}

/// Smaller scores are rounding errors.
const TINY: f64 = 1e-12;
