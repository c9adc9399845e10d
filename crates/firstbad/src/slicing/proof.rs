//! Proves that a slice is minimal: no change can be removed, alone or together with the changes that depend on it.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::dependencies::Dependencies;
use crate::reduction::{TestedSets, Verdict};
use crate::search::{ChangeSet, Key};

/// The evidence that a change is needed.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) change: usize,
    /// The tested sets, starting with the slice without the change alone.
    pub(super) sets: Vec<Key>,
}

#[derive(Debug)]
pub(super) struct Proof {
    slice: FixedBitSet,
    /// Changes of the slice without evidence. The last one is tested first.
    open: Vec<usize>,
    /// Changes that a larger slice was shown to need. This slice most likely needs them as well.
    needed_before: FixedBitSet,
    pub(super) shown: Vec<Shown>,
}

/// The state of one change of the slice.
enum Link {
    /// This set must be tested. Lower turns come first.
    Ask { set: FixedBitSet, turn: usize },
    /// All sets were tested, and none holds.
    Shown(Vec<FixedBitSet>),
}

impl Proof {
    /// Creates a proof that tests the newest change first.
    ///
    /// Changes that a larger slice needs come last, those next to a change in `gone` (ascending) first, because neighboring
    /// changes are often removable together.
    pub(super) fn new(slice: &FixedBitSet, needed_before: &FixedBitSet, gone: &[usize]) -> Self {
        let away = |change: usize| {
            let above = gone.partition_point(|&other| other < change);
            let near = [above.checked_sub(1).and_then(|below| gone.get(below)), gone.get(above)];
            near.into_iter().flatten().map(|other| other.abs_diff(change)).min()
        };
        let (mut open, first): (Vec<usize>, Vec<usize>) =
            slice.ones().partition(|&change| needed_before.contains(change));
        open.sort_by_key(|&change| Reverse(away(change)));
        open.extend(first);
        Proof { slice: slice.clone(), open, needed_before: needed_before.clone(), shown: Vec::new() }
    }

    /// Returns the changes that are shown to be needed.
    pub(super) fn needed(&self) -> impl Iterator<Item = usize> + '_ {
        self.shown.iter().map(|shown| shown.change)
    }

    /// Returns the changes that a smaller slice lacks, ascending.
    pub(super) fn gone(&self, smaller: &FixedBitSet) -> Vec<usize> {
        self.slice.difference(smaller).collect()
    }

    /// Applies known verdicts.
    pub(super) fn settle(&mut self, tested: &TestedSets, dependencies: &Dependencies, conflicts: &HashMap<Key, usize>) {
        let (mut open, mut shown) = (std::mem::take(&mut self.open), Vec::new());
        open.reverse();
        open.retain(|&change| {
            let Link::Shown(sets) = self.link(change, tested, dependencies, conflicts) else { return true };
            let key = |set: &FixedBitSet| tested.items.find(&ChangeSet::of_words(set.as_slice()));
            shown.push(Shown { change, sets: sets.iter().filter_map(key).collect() });
            false
        });
        open.reverse();
        self.open = open;
        self.shown.extend(shown);
    }

    pub(super) fn is_over(&self) -> bool {
        self.open.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.slice.count_ones(..)
    }

    /// Returns whether a set must be tested. O(changes of the slice that the set lacks).
    pub(super) fn wants(
        &self,
        set: &FixedBitSet,
        tested: &TestedSets,
        dependencies: &Dependencies,
        conflicts: &HashMap<Key, usize>,
    ) -> bool {
        // A test of a change is a subset of the slice without it.
        let mut without = self.slice.difference(set).filter(|change| self.open.contains(change));
        let asks = |change: usize| match self.link(change, tested, dependencies, conflicts) {
            Link::Ask { set: asked, .. } => asked == *set,
            Link::Shown(_) => false,
        };
        set.is_subset(&self.slice) && without.any(asks)
    }

    /// Returns at most `want` sets that must be tested and are not in flight.
    ///
    /// Sets without one change that are predicted to build come first, then the other sets without one change. Sets that
    /// lack further changes come next, and sets without a change that a larger slice needed come last.
    pub(super) fn choose(
        &self,
        want: usize,
        in_flight: &[FixedBitSet],
        tested: &TestedSets,
        dependencies: &Dependencies,
        conflicts: &HashMap<Key, usize>,
    ) -> Vec<FixedBitSet> {
        let mut found: [Vec<FixedBitSet>; 4] = Default::default();
        for &change in self.open.iter().rev() {
            if found[0].len() == want {
                break;
            }
            let Link::Ask { set, turn } = self.link(change, tested, dependencies, conflicts) else { continue };
            if !in_flight.contains(&set) && !found.iter().flatten().any(|other| *other == set) {
                found[if self.needed_before.contains(change) { 3 } else { turn }].push(set);
            }
        }
        let mut found = found.concat();
        found.truncate(want);
        found
    }

    /// Returns the next test of a change: the slice without it and, while that is unresolved, also without its dependents.
    fn link(
        &self,
        change: usize,
        tested: &TestedSets,
        dependencies: &Dependencies,
        conflicts: &HashMap<Key, usize>,
    ) -> Link {
        let mut set = self.slice.clone();
        set.remove(change);
        let mut asked = Vec::new();
        loop {
            match tested.known(&set) {
                None => {
                    let is_put_off = || {
                        let mut closed = set.clone();
                        dependencies.close(&mut closed, &FixedBitSet::from_iter([change]));
                        closed != set
                    };
                    let turn = if asked.is_empty() { usize::from(is_put_off()) } else { 2 };
                    return Link::Ask { set, turn };
                }
                Some(Verdict::Holds | Verdict::Fails) => {
                    asked.push(set);
                    return Link::Shown(asked);
                }
                Some(Verdict::Unresolved) => {}
            }
            let key = tested.items.find(&ChangeSet::of_words(set.as_slice()));
            let conflict = key.and_then(|key| conflicts.get(&key)).copied();
            asked.push(set.clone());
            match self.grown(&set, conflict, dependencies) {
                Some(smaller) => set = smaller,
                None => return Link::Shown(asked),
            }
        }
    }

    /// Returns a subset of a set that could not be built, or `None` if no subset may be buildable.
    fn grown(&self, set: &FixedBitSet, conflict: Option<usize>, dependencies: &Dependencies) -> Option<FixedBitSet> {
        let mut smaller = set.clone();
        let gone = |smaller: &FixedBitSet| self.slice.difference(smaller).collect::<FixedBitSet>();
        match conflict {
            // The change depends on a missing one, and so do its known dependents. The next conflict reveals others.
            Some(change) => {
                smaller.remove(change);
                let missing = gone(&smaller);
                dependencies.close_seen(&mut smaller, &missing);
            }
            None => {
                let missing = gone(&smaller);
                dependencies.close(&mut smaller, &missing);
            }
        }
        if smaller == *set {
            let suspected = dependencies.suspected(set, &gone(set));
            smaller.difference_with(&suspected);
        }
        if smaller == *set {
            // A change older than all missing ones cannot depend on them.
            let oldest = gone(set).minimum()?;
            smaller.remove_range(oldest..);
        }
        (smaller != *set).then_some(smaller)
    }
}
