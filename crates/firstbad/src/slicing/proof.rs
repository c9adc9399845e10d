//! That nothing of a slice can go: neither a change alone, nor together with those of the slice that rest on it.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::dependencies::Dependencies;
use crate::reduction::{TestedSets, Verdict};
use crate::search::{ChangeSet, Key};

/// What shows that a change is needed.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) change: usize,
    /// The sets that were asked for it, the one without the change alone first.
    pub(super) sets: Vec<Key>,
}

/// The proof on its way.
#[derive(Debug)]
pub(super) struct Proof {
    slice: FixedBitSet,
    /// Changes of the slice about which nothing is shown yet; the last is asked about first.
    open: Vec<usize>,
    /// Which changes a larger slice was shown to need: most likely this one does not do without them either.
    needed_before: FixedBitSet,
    pub(super) shown: Vec<Shown>,
}

/// What is known about one change of the slice.
enum Link {
    /// This set has to be asked; those of a lower turn first.
    Ask { set: FixedBitSet, turn: usize },
    /// All that was asked, and it does not hold.
    Shown(Vec<FixedBitSet>),
}

impl Proof {
    /// The newest change is asked about first. Last come those that a larger slice was shown to need, the nearest to what has `gone`
    /// from it (ascending) first: what stands together often goes together.
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

    /// The changes that the slice is shown to need.
    pub(super) fn needed(&self) -> impl Iterator<Item = usize> + '_ {
        self.shown.iter().map(|shown| shown.change)
    }

    /// What a smaller slice is without, ascending.
    pub(super) fn gone(&self, smaller: &FixedBitSet) -> Vec<usize> {
        self.slice.difference(smaller).collect()
    }

    /// Moves on by what is known.
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

    /// How many changes the slice has.
    pub(super) fn len(&self) -> usize {
        self.slice.count_ones(..)
    }

    /// Whether a set is among those to be asked. O(changes of the slice that it is without).
    pub(super) fn wants(
        &self,
        set: &FixedBitSet,
        tested: &TestedSets,
        dependencies: &Dependencies,
        conflicts: &HashMap<Key, usize>,
    ) -> bool {
        // What is asked about a change is a part of the slice without it.
        let mut without = self.slice.difference(set).filter(|change| self.open.contains(change));
        let asks = |change: usize| match self.link(change, tested, dependencies, conflicts) {
            Link::Ask { set: asked, .. } => asked == *set,
            Link::Shown(_) => false,
        };
        set.is_subset(&self.slice) && without.any(asks)
    }

    /// At most `want` sets that have to be asked and are not in flight: first those without one change that are thought to
    /// be built, then those that are not, then those that have to be without others as well, and then those without what a larger
    /// slice needed.
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

    /// What is asked about a change: the slice without it, and as long as that cannot be told, without what rests on it, too.
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

    /// A smaller set than one that cannot be built; `None` if there is none left that may be built.
    fn grown(&self, set: &FixedBitSet, conflict: Option<usize>, dependencies: &Dependencies) -> Option<FixedBitSet> {
        let mut smaller = set.clone();
        let gone = |smaller: &FixedBitSet| self.slice.difference(smaller).collect::<FixedBitSet>();
        match conflict {
            // It rests on what is gone, and so does what was seen to rest on that; whether others do, the next conflict says.
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
            // What is older than all that is gone cannot rest on it.
            let oldest = gone(set).minimum()?;
            smaller.remove_range(oldest..);
        }
        (smaller != *set).then_some(smaller)
    }
}
