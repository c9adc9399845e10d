//! Dependencies between changes: predicted, found by conflicts, and refuted by sets that could be built.
//!
//! Dependencies never exclude a set for good. They determine the order of tests, and which changes the proof removes
//! together.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use crate::reduction::{Need, ReductionConfig, Requirements, Verdict};

/// The current dependencies of all changes.
#[derive(Debug)]
pub(super) struct Dependencies {
    count: usize,
    predicted: BTreeMap<usize, Vec<Need>>,
    /// Predictions that are not refuted yet, and dependencies from conflicts.
    needs: BTreeMap<usize, Vec<Need>>,
    requirements: Option<Requirements>,
    /// Sets that could be built, in the order told.
    built: Vec<FixedBitSet>,
    /// For each change, the changes without which it could not be applied.
    seen: BTreeMap<usize, Vec<usize>>,
    /// Conflicts with several possible causes: the change that could not be applied, and the changes that it may have
    /// missed.
    open: Vec<(usize, FixedBitSet)>,
}

impl Dependencies {
    pub(super) fn new(count: usize, predicted: BTreeMap<usize, Vec<Need>>) -> Self {
        let mut dependencies = Dependencies {
            count,
            predicted,
            needs: BTreeMap::new(),
            requirements: None,
            built: Vec::new(),
            seen: BTreeMap::new(),
            open: Vec::new(),
        };
        dependencies.forget();
        dependencies
    }

    /// Forgets all observations.
    pub(super) fn forget(&mut self) {
        self.needs.clone_from(&self.predicted);
        self.built.clear();
        self.seen.clear();
        self.open.clear();
        self.renew();
    }

    fn renew(&mut self) {
        self.requirements = Requirements::of(&reduction(self.needs.clone()), self.count);
    }

    /// Learns from an observation and returns whether any dependency was added or changed.
    pub(super) fn learn(&mut self, set: &FixedBitSet, verdict: Verdict, conflict: Option<usize>) -> bool {
        let changed = match (verdict, conflict) {
            (Verdict::Holds | Verdict::Fails, _) => self.learn_from_built(set),
            (Verdict::Unresolved, Some(change)) => self.learn_from_conflict(set, change),
            (Verdict::Unresolved, None) => false,
        };
        if changed {
            self.renew();
        }
        changed
    }

    /// A change in a set that could be built does not depend on anything outside the set.
    fn learn_from_built(&mut self, set: &FixedBitSet) -> bool {
        let mut changed = false;
        for (_, needs) in self.needs.iter_mut().filter(|(change, _)| set.contains(**change)) {
            let before = needs.len();
            needs.retain(|need| is_met(need, set));
            changed |= needs.len() < before;
        }
        for place in (0..self.open.len()).rev() {
            let (change, missed) = &mut self.open[place];
            if set.contains(*change) {
                missed.intersect_with(set);
                if missed.count_ones(..) <= 1 {
                    let (change, missed) = self.open.swap_remove(place);
                    changed |= self.rests(change, &missed);
                }
            }
        }
        self.built.push(set.clone());
        changed
    }

    /// A change that could not be applied depends on one of the missing older changes.
    fn learn_from_conflict(&mut self, set: &FixedBitSet, change: usize) -> bool {
        let mut missed = FixedBitSet::with_capacity(self.count);
        missed.insert_range(..change);
        missed.difference_with(set);
        for built in self.built.iter().filter(|built| built.contains(change)) {
            missed.intersect_with(built);
        }
        let is_foretold = self.needs.get(&change).is_some_and(|needs| !needs.iter().all(|need| is_met(need, set)));
        match missed.count_ones(..) {
            0 => false,
            1 => self.rests(change, &missed),
            _ if is_foretold => false,
            _ => {
                self.open.push((change, missed));
                false
            }
        }
    }

    fn rests(&mut self, change: usize, on: &FixedBitSet) -> bool {
        let Some(other) = on.minimum() else { return false };
        let seen = self.seen.entry(change).or_default();
        if !seen.contains(&other) {
            seen.push(other);
        }
        let need = Need::Item(other);
        let needs = self.needs.entry(change).or_default();
        let is_new = !needs.contains(&need);
        if is_new {
            needs.push(need);
        }
        is_new
    }

    /// Removes from a set everything that is believed to depend on a missing change, directly or not.
    pub(super) fn close(&self, set: &mut FixedBitSet, missing: &FixedBitSet) {
        if let Some(requirements) = &self.requirements {
            requirements.close(set, missing.ones());
        }
    }

    /// Removes from a set everything that is known to depend on a missing change, directly or not.
    pub(super) fn close_seen(&self, set: &mut FixedBitSet, missing: &FixedBitSet) {
        let mut gone = FixedBitSet::with_capacity(self.count);
        gone.union_with(missing);
        // A dependency is older than its dependent.
        for (&change, others) in &self.seen {
            if set.contains(change) && others.iter().any(|&other| gone.contains(other)) {
                set.remove(change);
                gone.insert(change);
            }
        }
    }

    /// Adds everything that members are believed to depend on, directly or not. Of alternatives, it adds the first.
    pub(super) fn complete(&self, set: &mut FixedBitSet) {
        let mut open: Vec<usize> = set.ones().collect();
        while let Some(change) = open.pop() {
            for need in
                self.needs.get(&change).into_iter().flatten().filter(|need| !is_met(need, set)).collect::<Vec<_>>()
            {
                let other = match need {
                    Need::Item(other) => *other,
                    Need::AnyOf(others) => others[0],
                };
                if !set.put(other) {
                    open.push(other);
                }
            }
        }
    }

    /// Returns the changes that are predicted to depend on a member of a set.
    pub(super) fn dependents(&self, set: &FixedBitSet) -> FixedBitSet {
        let dependents = self.predicted.iter().filter(|(_, needs)| needs.iter().any(|need| is_met(need, set)));
        let mut found = FixedBitSet::with_capacity(self.count);
        found.extend(dependents.map(|(&change, _)| change));
        found
    }

    /// Returns newer members of `set` that may depend on one of `gone`: no set that could be built has such a member but
    /// lacks `gone`.
    pub(super) fn suspected(&self, set: &FixedBitSet, gone: &FixedBitSet) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.count);
        let mut open: Vec<usize> = gone.ones().collect();
        while let Some(missing) = open.pop() {
            for other in set.ones().filter(|&other| other > missing && !gone.contains(other)) {
                let stands = |built: &FixedBitSet| built.contains(other) && !built.contains(missing);
                if !all.contains(other) && !self.built.iter().any(stands) {
                    all.insert(other);
                    open.push(other);
                }
            }
        }
        all
    }

    /// Returns the dependencies for a reduction of `slots`. Dependencies on other changes are dropped, because all slots
    /// together could be built.
    pub(super) fn among(&self, slots: &[usize]) -> BTreeMap<usize, Vec<Need>> {
        let mut slot_of = vec![None; self.count];
        slots.iter().enumerate().for_each(|(slot, &change)| slot_of[change] = Some(slot));
        let slot = |change: &usize| slot_of[*change];
        let mut among = BTreeMap::new();
        for (place, change) in slots.iter().enumerate() {
            let mut needs: Vec<Need> = Vec::new();
            for need in self.needs.get(change).into_iter().flatten() {
                let need = match need {
                    Need::Item(other) => slot(other).map(Need::Item),
                    Need::AnyOf(others) => {
                        let others: Vec<usize> = others.iter().filter_map(slot).collect();
                        Some(Need::AnyOf(others)).filter(|need| *need != Need::AnyOf(Vec::new()))
                    }
                };
                needs.extend(need.filter(|need| !needs.contains(need)));
            }
            if !needs.is_empty() {
                among.insert(place, needs);
            }
        }
        among
    }
}

fn is_met(need: &Need, set: &FixedBitSet) -> bool {
    match need {
        Need::Item(other) => set.contains(*other),
        Need::AnyOf(others) => others.iter().any(|&other| set.contains(other)),
    }
}

fn reduction(dependencies: BTreeMap<usize, Vec<Need>>) -> ReductionConfig {
    ReductionConfig { dependencies, ..ReductionConfig::default() }
}
