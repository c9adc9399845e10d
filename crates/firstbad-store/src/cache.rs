//! The part of a store that one search uses.

use std::sync::{Mutex, PoisonError};

use firstbad::{Error, Observation, OutcomeCache, Target};

use crate::kept::OracleKey;
use crate::keys::Keys;
use crate::store::Store;

/// The part of a store that one search uses: one oracle's outcomes, kept under the search's own run.
#[derive(Debug)]
pub struct StoreCache {
    /// A [`Store`] may go to another thread but not be looked at from two; the mutex, never locked, says so.
    store: Mutex<Store>,
    oracle: OracleKey,
    run: String,
    keys: Keys,
}

impl StoreCache {
    /// `run` names this search among all that use the store. A search that is resumed keeps its name: what it saw
    /// before comes back from its own records, and must not come from here as another's.
    pub fn new(store: Store, oracle: OracleKey, run: impl Into<String>, keys: Keys) -> StoreCache {
        StoreCache { store: Mutex::new(store), oracle, run: run.into(), keys }
    }
}

impl OutcomeCache for StoreCache {
    fn key(&self, target: &Target) -> Option<String> {
        self.keys.of(target)
    }

    fn targets(&mut self) -> Result<Vec<Target>, Error> {
        let store = self.store.get_mut().unwrap_or_else(PoisonError::into_inner);
        Ok(self.keys.targets(&store.keys(&self.oracle, &self.run)?))
    }

    fn outcomes(&mut self, key: &str) -> Result<Vec<Observation>, Error> {
        let kept = self.store.get_mut().unwrap_or_else(PoisonError::into_inner).get(&self.oracle, key)?;
        Ok(kept.into_iter().filter(|kept| kept.run != self.run).map(|kept| kept.observation).collect())
    }

    fn kept(&mut self, key: &str) -> Result<Option<usize>, Error> {
        let kept = self.store.get_mut().unwrap_or_else(PoisonError::into_inner).get(&self.oracle, key)?;
        Ok(Some(kept.iter().filter(|kept| kept.run == self.run).count()))
    }

    fn keep(&mut self, key: &str, observation: &Observation) -> Result<(), Error> {
        let store = self.store.get_mut().unwrap_or_else(PoisonError::into_inner);
        store.put(&self.oracle, key, &self.run, observation)
    }
}
