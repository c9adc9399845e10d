//! Proves that a slice is minimal: no change can be removed, alone or together with the changes that depend on it.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;

use super::dependencies::Dependencies;
use super::unresolved::UnresolvedSets;
use crate::reduction::{TestedSets, Verdict};
use crate::search::{ChangeSet, Key};

/// The evidence that a change is needed.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) change: usize,
    /// The tested sets, starting with the slice without the change alone.
    pub(super) sets: Vec<Key>,
    /// The set that does not hold: the last tested set, or an untested one between two sets that failed alike.
    pub(super) without: ChangeSet,
    /// A larger and a smaller set that failed alike, if the sets between them are not tested.
    pub(super) alike: Option<[Key; 2]>,
}

/// Everything known about sets of changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) tested: &'a TestedSets,
    pub(super) dependencies: &'a Dependencies,
    pub(super) unresolved: &'a UnresolvedSets,
}

impl Known<'_> {
    fn key(&self, set: &FixedBitSet) -> Option<Key> {
        self.tested.items.find(&ChangeSet::of_words(set.as_slice()))
    }
}

#[derive(Debug)]
pub(super) struct Proof {
    slice: FixedBitSet,
    /// The changes that every set contains, which need no evidence.
    always: FixedBitSet,
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
    /// No set holds.
    Shown(Shown),
}

impl Proof {
    /// Creates a proof that tests the newest change first.
    ///
    /// Changes that a larger slice needs come last, those next to a change in `gone` (ascending) first, because neighboring
    /// changes are often removable together.
    pub(super) fn new(slice: &FixedBitSet, always: &FixedBitSet, needed_before: &FixedBitSet, gone: &[usize]) -> Self {
        let away = |change: usize| {
            let above = gone.partition_point(|&other| other < change);
            let near = [above.checked_sub(1).and_then(|below| gone.get(below)), gone.get(above)];
            near.into_iter().flatten().map(|other| other.abs_diff(change)).min()
        };
        let (mut open, first): (Vec<usize>, Vec<usize>) =
            slice.difference(always).partition(|&change| needed_before.contains(change));
        open.sort_by_key(|&change| Reverse(away(change)));
        open.extend(first);
        Proof {
            slice: slice.clone(),
            always: always.clone(),
            open,
            needed_before: needed_before.clone(),
            shown: Vec::new(),
        }
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
    pub(super) fn settle(&mut self, known: Known<'_>) {
        let (mut open, mut shown) = (std::mem::take(&mut self.open), Vec::new());
        open.reverse();
        open.retain(|&change| {
            let Link::Shown(evidence) = self.link(change, known) else { return true };
            shown.push(evidence);
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
    pub(super) fn wants(&self, set: &FixedBitSet, known: Known<'_>) -> bool {
        // A test of a change is a subset of the slice without it.
        let mut without = self.slice.difference(set).filter(|change| self.open.contains(change));
        let asks = |change: usize| match self.link(change, known) {
            Link::Ask { set: asked, .. } => asked == *set,
            Link::Shown(_) => false,
        };
        set.is_subset(&self.slice) && without.any(asks)
    }

    /// Returns at most `want` sets that must be tested and are not in flight.
    ///
    /// Sets without one change that are predicted to build come first, then the other sets without one change. Sets that
    /// lack further changes come next, and sets without a change that a larger slice needed come last.
    pub(super) fn choose(&self, want: usize, in_flight: &[FixedBitSet], known: Known<'_>) -> Vec<FixedBitSet> {
        let mut found: [Vec<FixedBitSet>; 4] = Default::default();
        for &change in self.open.iter().rev() {
            if found[0].len() == want {
                break;
            }
            let Link::Ask { set, turn } = self.link(change, known) else { continue };
            if !in_flight.contains(&set) && !found.iter().flatten().any(|other| *other == set) {
                found[if self.needed_before.contains(change) { 3 } else { turn }].push(set);
            }
        }
        let mut found = found.concat();
        found.truncate(want);
        found
    }

    /// Returns the next test of a change: the slice without it and, while that is unresolved, also without its dependents.
    /// Sets between two that failed alike, such as a set and the base, are not tested.
    fn link(&self, change: usize, known: Known<'_>) -> Link {
        let mut set = self.slice.clone();
        set.remove(change);
        let mut sets = Vec::new();
        loop {
            let verdict = known.tested.known(&set);
            let key = known.key(&set).filter(|_| verdict.is_some());
            sets.extend(key);
            let alike = match verdict {
                Some(Verdict::Unresolved) => known.unresolved.around(&set),
                // The slice without the change alone is always tested.
                None if !sets.is_empty() => known.unresolved.around(&set),
                _ => None,
            };
            // The set itself is better evidence than a larger one.
            let alike = alike.map(|[larger, smaller]| [key.unwrap_or(larger), smaller]);
            let conflict = key.and_then(|key| known.unresolved.conflict(key));
            let smaller = match verdict {
                Some(Verdict::Unresolved) if alike.is_none() => self.grown(&set, conflict, known.dependencies),
                None if alike.is_none() => {
                    let mut closed = set.clone();
                    known.dependencies.close(&mut closed, &FixedBitSet::from_iter([change]));
                    let turn = if sets.is_empty() { usize::from(closed != set) } else { 2 };
                    return Link::Ask { set, turn };
                }
                _ => None,
            };
            match smaller {
                Some(smaller) => set = smaller,
                None => {
                    let without = ChangeSet::of_words(set.as_slice());
                    return Link::Shown(Shown { change, sets, without, alike });
                }
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
        (smaller != *set && self.always.is_subset(&smaller)).then_some(smaller)
    }
}
