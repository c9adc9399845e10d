//! Which suspects can be tested, at what price, and what to test instead of those that cannot.

use std::sync::Arc;

use hashbrown::HashMap;

use super::belief::{Belief, Partition};
use crate::belief::Blocks;

/// What a run costs, by place; 1 where nothing is said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Costs(pub(crate) Arc<HashMap<usize, f64>>);

impl Costs {
    pub(crate) fn at(&self, place: usize) -> f64 {
        self.0.get(&place).copied().unwrap_or(1.0)
    }

    pub(crate) fn is_even(&self) -> bool {
        self.0.is_empty()
    }

    fn has_own(&self, place: usize) -> bool {
        self.0.contains_key(&place)
    }
}

/// Places from which the best one is chosen by a score.
pub(crate) struct Askable<'a> {
    belief: &'a Belief,
    costs: &'a Costs,
    /// Unresolved stretches; made only where there are any.
    blocks: Blocks,
}

impl<'a> Askable<'a> {
    pub(crate) fn new(belief: &'a Belief, costs: &'a Costs) -> Self {
        Askable { belief, costs, blocks: Blocks::new(belief.unresolved()) }
    }

    /// How likely a place can be tested, per cost; 0 where it cannot.
    pub(crate) fn worth(&self, place: usize) -> f64 {
        if self.belief.is_unresolved(place) {
            return 0.0;
        }
        let chance = if self.blocks.is_empty() { 1.0 } else { self.blocks.chance(place) };
        // Places between unresolved ones, in what is taken for a block, are a last resort and no impossibility.
        chance.max(LAST_RESORT) / self.costs.at(place)
    }

    /// The place with the highest `score` times worth, the oldest of equals; nothing where no score is above 0. On a
    /// line, `wishes` are places where the score is highest in each stretch between tested revisions, falling off on
    /// both sides.
    pub(crate) fn best(
        &self,
        wishes: impl Iterator<Item = usize>,
        score: impl Fn(usize) -> f64,
    ) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        let mut consider = |place: usize| {
            let value = score(place) * self.worth(place);
            if value > best.map_or(TINY, |best| best.1) || best.is_some_and(|best| value == best.1 && place < best.0) {
                best = Some((place, value));
            }
        };
        match self.belief.partition() {
            Partition::Dag(class_of) => (0..class_of.len()).for_each(consider),
            Partition::Line(_) => {
                let last = self.belief.suspects.last();
                for wish in wishes {
                    if self.costs.is_even() && self.belief.unresolved().is_empty() {
                        consider(wish);
                        continue;
                    }
                    let plain = |place: &usize| !self.belief.is_unresolved(*place) && !self.costs.has_own(*place);
                    (wish..=last).find(plain).into_iter().for_each(&mut consider);
                    (0..wish).rev().find(plain).into_iter().for_each(&mut consider);
                }
                self.costs.0.keys().copied().for_each(&mut consider);
                // Out of each unresolved stretch, with steps that double.
                let unresolved = self.belief.unresolved();
                for (number, &place) in unresolved.iter().enumerate() {
                    let inner = |next: Option<&usize>, step: usize| next == Some(&step);
                    let before = number.checked_sub(1).and_then(|before| unresolved.get(before));
                    let is_first = place > 0 && !inner(before, place - 1);
                    let is_last = !inner(unresolved.get(number + 1), place + 1);
                    let steps = || (0..usize::BITS).map(|power| 1usize << power);
                    if is_first {
                        steps().map_while(|step| place.checked_sub(step)).for_each(&mut consider);
                    }
                    if is_last {
                        steps().map_while(|step| Some(place + step).filter(|&to| to <= last)).for_each(&mut consider);
                    }
                }
            }
        }
        best
    }
}

/// The worth of testing where everything around is unresolved, in comparison.
const LAST_RESORT: f64 = 1e-3;

/// Scores below this are rounding.
const TINY: f64 = 1e-15;
