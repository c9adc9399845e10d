//! The sets that could not be tested, and the sets between two that failed alike.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::search::{Key, Observation, Stage};

/// The unresolved sets.
#[derive(Debug, Default)]
pub(super) struct UnresolvedSets {
    /// The change that could not be applied, for each set with a conflict.
    conflicts: HashMap<Key, usize>,
    /// The other sets by their stage and signature.
    failures: BTreeMap<(Option<Stage>, String), Alike>,
}

/// Sets that failed alike. Sets between two others are left out.
#[derive(Debug, Default)]
struct Alike {
    largest: Vec<(Key, FixedBitSet)>,
    smallest: Vec<(Key, FixedBitSet)>,
}

impl UnresolvedSets {
    pub(super) fn forget(&mut self) {
        *self = UnresolvedSets::default();
    }

    /// Records an unresolved set. Sets without a signature are never alike.
    pub(super) fn learn(&mut self, key: Key, set: &FixedBitSet, observation: &Observation, conflict: Option<usize>) {
        if let Some(change) = conflict {
            self.conflicts.insert(key, change);
        } else if let Some(signature) =
            observation.signature.clone().filter(|_| observation.stage != Some(Stage::Patch))
        {
            let Alike { largest, smallest } = self.failures.entry((observation.stage, signature)).or_default();
            if !largest.iter().any(|(_, other)| set.is_subset(other)) {
                largest.retain(|(_, other)| !other.is_subset(set));
                largest.push((key, set.clone()));
            }
            if !smallest.iter().any(|(_, other)| other.is_subset(set)) {
                smallest.retain(|(_, other)| !set.is_subset(other));
                smallest.push((key, set.clone()));
            }
        }
    }

    /// Returns the change that could not be applied, if a set conflicts.
    pub(super) fn conflict(&self, key: Key) -> Option<usize> {
        self.conflicts.get(&key).copied()
    }

    /// Returns the keys of a larger and a smaller set that failed alike, if a set is between them. One of them can be the set
    /// itself.
    pub(super) fn around(&self, set: &FixedBitSet) -> Option<[Key; 2]> {
        self.failures.values().find_map(|Alike { largest, smallest }| {
            let larger = largest.iter().find(|(_, other)| set.is_subset(other))?.0;
            let smaller = smallest.iter().find(|(_, other)| other.is_subset(set))?.0;
            (larger != smaller).then_some([larger, smaller])
        })
    }
}
