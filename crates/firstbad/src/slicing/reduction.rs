//! A reduction of the remaining changes, with a [`Minimize`] inside that knows all observations.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::dependencies::Dependencies;
use crate::reduction::{Guarantee, Method, Minimize, ReductionConfig, TestedSets, Verdict};
use crate::search::{Algorithm as _, ChangeSet, Key, Nested, Observation, Outcome, Status};

/// The settings of a reduction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan<'a> {
    pub(super) method: Method,
    /// Whether every superset of a set with the property is assumed to have it.
    pub(super) monotonic: bool,
    /// The changes that no set lacks.
    pub(super) fixed: &'a FixedBitSet,
}

#[derive(Debug)]
pub(super) struct Reduction {
    /// The change in each slot.
    order: Vec<usize>,
    slot_of: Vec<Option<usize>>,
    /// The changes that no set lacks. They have no slots.
    fixed: FixedBitSet,
    monotonic: bool,
    /// `None` if there is nothing to reduce.
    nested: Option<Nested<Minimize>>,
}

impl Reduction {
    /// Creates a reduction that knows the verdicts of the sets with these `keys`.
    pub(super) fn new(plan: Plan<'_>, tested: &TestedSets, keys: &[Key], dependencies: &Dependencies) -> Self {
        let Plan { method, monotonic, fixed } = plan;
        let order: Vec<usize> = tested.best.difference(fixed).collect();
        let config = ReductionConfig {
            algorithm: method,
            dependencies: dependencies.among(&order),
            monotonic,
            guarantee: Guarantee::Fixpoint,
            ..ReductionConfig::default()
        };
        let mut slot_of = vec![None; tested.count()];
        order.iter().enumerate().for_each(|(slot, &change)| slot_of[change] = Some(slot));
        let nested = Nested::new(order.len(), config).ok();
        let mut reduction = Reduction { order, slot_of, fixed: fixed.clone(), monotonic, nested };
        let all = reduction.set(&ChangeSet::all(reduction.order.len()));
        reduction.absorb(&all, Verdict::Holds);
        for &key in keys {
            let set = tested.bits(key);
            if let Some(verdict) = tested.known(&set) {
                reduction.absorb(&set, verdict);
            }
        }
        reduction
    }

    /// Converts a set of slots to a set of changes.
    fn set(&self, slots: &ChangeSet) -> FixedBitSet {
        let mut set = self.fixed.clone();
        slots.iter().for_each(|slot| set.insert(self.order[slot]));
        set
    }

    /// Converts a set of changes to slots, or returns `None` if the set has other changes or lacks fixed ones.
    fn slots(&self, set: &FixedBitSet) -> Option<ChangeSet> {
        if !self.fixed.is_subset(set) {
            return None;
        }
        set.difference(&self.fixed)
            .map(|change| self.slot_of[change])
            .collect::<Option<Vec<usize>>>()
            .map(|slots| slots.into_iter().collect())
    }

    /// Records the verdict of a set.
    pub(super) fn absorb(&mut self, set: &FixedBitSet, verdict: Verdict) {
        let slots = self.slots(set).or_else(|| {
            // Every subset of a set without the property also lacks it.
            let follows = self.monotonic && verdict == Verdict::Fails && self.fixed.is_subset(set);
            follows.then(|| set.ones().filter_map(|change| self.slot_of[change]).collect())
        });
        let Some((slots, nested)) = slots.zip(self.nested.as_mut()) else { return };
        let outcome = match verdict {
            Verdict::Holds => Outcome::Pass,
            Verdict::Fails => Outcome::Fail,
            Verdict::Unresolved => Outcome::Unresolved,
        };
        let key = nested.space_mut().key_of(slots);
        nested.absorb(key, &Arc::new(Observation::from(outcome)));
    }

    /// Updates the dependencies.
    pub(super) fn rest_on(&mut self, dependencies: &Dependencies) {
        if let Some(nested) = &mut self.nested {
            nested.algorithm_mut().rest_on(dependencies.among(&self.order));
        }
    }

    /// Returns the next set of the reduction if its verdict is already known.
    pub(super) fn known(&mut self, tested: &TestedSets) -> Option<(FixedBitSet, Verdict)> {
        let set = self.choose(1, &[]).pop()?;
        tested.known(&set).map(|verdict| (set, verdict))
    }

    /// Returns at most `want` sets to test that are not in flight.
    pub(super) fn choose(&mut self, want: usize, in_flight: &[FixedBitSet]) -> Vec<FixedBitSet> {
        let flying: Vec<ChangeSet> = in_flight.iter().filter_map(|set| self.slots(set)).collect();
        let Some(nested) = &mut self.nested else { return Vec::new() };
        let flying: Vec<Key> = flying.into_iter().map(|slots| nested.space_mut().key_of(slots)).collect();
        let chosen = nested.choose(want, &flying);
        let chosen: Vec<ChangeSet> =
            chosen.into_iter().map(|key| nested.algorithm().space().set(key).clone()).collect();
        chosen.iter().map(|slots| self.set(slots)).collect()
    }

    pub(super) fn wants(&self, in_flight: &[FixedBitSet]) -> Vec<bool> {
        let Some(nested) = &self.nested else { return vec![false; in_flight.len()] };
        let space = nested.algorithm().space();
        let own = |set| self.slots(set).and_then(|slots| space.find(&slots));
        nested.wants(&in_flight.iter().map(own).collect::<Vec<_>>())
    }

    pub(super) fn is_over(&self) -> bool {
        self.nested.as_ref().is_none_or(|nested| nested.algorithm().status() != Status::Running)
    }
}
