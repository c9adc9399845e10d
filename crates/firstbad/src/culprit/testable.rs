//! Which suspects are worth a run, and what to test instead of those that are not.

use super::belief::{Belief, Partition};
use super::costs::Costs;
use super::untestable::Untestable;

/// Places from which the best one is chosen by a score.
pub(crate) struct Testable<'a> {
    belief: &'a Belief,
    costs: &'a Costs,
    untestable: Untestable<'a>,
}

impl<'a> Testable<'a> {
    pub(crate) fn new(belief: &'a Belief, costs: &'a Costs) -> Self {
        Testable { belief, costs, untestable: Untestable::new(belief) }
    }

    /// Whether every suspect can be tested.
    pub(crate) fn is_everything(&self) -> bool {
        self.untestable.is_empty()
    }

    /// Whether a run may be spent on this place.
    pub(crate) fn may_be_run(&self, place: usize) -> bool {
        !self.untestable.contains(place)
    }

    /// How likely a place can be tested, per cost; 0 if no run is to be spent on it.
    pub(crate) fn worth(&self, place: usize) -> f64 {
        self.untestable.chance(place) / self.costs.at(place)
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
        // With steps that double, as in a search for where a stretch ends.
        let steps = || (0..usize::BITS).map(|power| 1usize << power);
        for (first, last_of_block) in self.untestable.blocks_on_a_line() {
            places.extend(steps().map_while(|step| first.checked_sub(step)));
            places.extend(steps().map_while(|step| Some(last_of_block + step).filter(|&to| to <= last)));
        }
        places
    }
}

/// Scores below this are rounding.
const TINY: f64 = 1e-12;
