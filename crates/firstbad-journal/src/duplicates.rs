//! Groups probes in flight that test the same files. One of them runs, and its outcome counts for all.

use std::collections::BTreeMap;

use hashbrown::HashMap;

/// The probes in flight that run, and those that wait for them.
#[derive(Debug, Default)]
pub(crate) struct Duplicates {
    /// The running probe for each key.
    tested: HashMap<String, u64>,
    /// The probe that each waiting probe waits for.
    waiting: BTreeMap<u64, u64>,
}

impl Duplicates {
    /// Adds a probe and returns whether it must run. A probe without a key always runs.
    pub(crate) fn begin(&mut self, key: Option<String>, id: u64) -> bool {
        let Some(key) = key else { return true };
        let first = *self.tested.entry(key).or_insert(id);
        if first != id {
            self.waiting.insert(id, first);
        }
        first == id
    }

    /// Removes a probe and the probes that wait for it. Returns the latter.
    pub(crate) fn end(&mut self, id: u64) -> Vec<u64> {
        self.tested.retain(|_, first| *first != id);
        self.waiting.remove(&id);
        let waited = self.waiting_for(id);
        waited.iter().for_each(|other| {
            self.waiting.remove(other);
        });
        waited
    }

    /// Returns whether a probe waits for another one.
    pub(crate) fn waits(&self, id: u64) -> bool {
        self.waiting.contains_key(&id)
    }

    /// Returns a probe and the probes that wait for it.
    pub(crate) fn with_waiting(&self, id: u64) -> Vec<u64> {
        let mut all = vec![id];
        all.extend(self.waiting_for(id));
        all
    }

    fn waiting_for(&self, id: u64) -> Vec<u64> {
        self.waiting.iter().filter(|(_, first)| **first == id).map(|(other, _)| *other).collect()
    }
}
