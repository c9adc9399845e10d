//! The outcome cache of one search.

use std::sync::{Mutex, PoisonError};

use firstbad::{Error, Observation, OutcomeCache, Target};

use crate::kept::OracleKey;
use crate::keys::Keys;
use crate::store::Store;

/// The [`OutcomeCache`] of one search: the outcomes of one oracle, recorded under the name of the search's run.
#[derive(Debug)]
pub struct StoreCache {
    /// Never locked. The mutex makes `StoreCache` `Sync`, which [`Store`] is not.
    store: Mutex<Store>,
    oracle: OracleKey,
    run: String,
    keys: Keys,
}

impl StoreCache {
    /// Creates a cache for the search `run`. The name must be unique among all searches that use the store.
    ///
    /// A resumed search must keep its name. Its earlier outcomes come from its own journal, so the cache does not return them
    /// again.
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
