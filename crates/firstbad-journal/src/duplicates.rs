//! Probes in flight that test the same: one of them is tested, and its answer goes for all.

use std::collections::BTreeMap;

use hashbrown::HashMap;

/// Which probes in flight are tested, and which wait for the answer of another one.
#[derive(Debug, Default)]
pub(crate) struct Duplicates {
    /// The probe that is tested, by the key of what it tests.
    tested: HashMap<String, u64>,
    /// For each probe that waits the one that it waits for.
    waiting: BTreeMap<u64, u64>,
}

impl Duplicates {
    /// A probe that goes into flight; whether it is to be tested. Without a key nothing else tests the same.
    pub(crate) fn begin(&mut self, key: Option<String>, id: u64) -> bool {
        let Some(key) = key else { return true };
        let first = *self.tested.entry(key).or_insert(id);
        if first != id {
            self.waiting.insert(id, first);
        }
        first == id
    }

    /// A probe that is no longer in flight; returns those that waited for it, which are none of these any more either.
    pub(crate) fn end(&mut self, id: u64) -> Vec<u64> {
        self.tested.retain(|_, first| *first != id);
        self.waiting.remove(&id);
        let waited = self.waiting_for(id);
        waited.iter().for_each(|other| {
            self.waiting.remove(other);
        });
        waited
    }

    /// Whether a probe waits for another one.
    pub(crate) fn waits(&self, id: u64) -> bool {
        self.waiting.contains_key(&id)
    }

    /// A probe, and those that wait for it.
    pub(crate) fn with_waiting(&self, id: u64) -> Vec<u64> {
        let mut all = vec![id];
        all.extend(self.waiting_for(id));
        all
    }

    fn waiting_for(&self, id: u64) -> Vec<u64> {
        self.waiting.iter().filter(|(_, first)| **first == id).map(|(other, _)| *other).collect()
    }
}
