//! Stores of shared outcomes.

use std::collections::HashMap;

use firstbad::{Error, Search, World};
use firstbad_git::Repository;
use firstbad_store::{Keys, OracleKey, Store, StoreCache};
use napi_derive::napi;

use crate::error::thrown;
use crate::graph::joined;
use crate::json::{parsed, text};
use crate::search::BindingSearch;

/// A store, opened for one oracle.
#[napi]
pub struct BindingStore {
    store: Store,
    oracle: OracleKey,
}

#[napi]
impl BindingStore {
    #[napi(factory, catch_unwind)]
    pub fn open(path: String, oracle: String, version: String) -> napi::Result<BindingStore> {
        let oracle = OracleKey { name: oracle, version };
        Ok(BindingStore { store: Store::open(path).map_err(thrown)?, oracle })
    }

    #[napi(getter)]
    pub fn path(&self) -> String {
        self.store.path().to_string_lossy().into_owned()
    }

    /// Returns the oracle's outcomes as a JSON array, oldest first.
    #[napi(catch_unwind)]
    pub fn entries(&mut self) -> napi::Result<String> {
        text(&self.store.entries(Some(&self.oracle)).map_err(thrown)?)
    }

    /// Returns the card of the oracle's outcomes.
    #[napi(catch_unwind)]
    pub fn card(&mut self) -> napi::Result<String> {
        let outcomes = self.store.entries(Some(&self.oracle)).map_err(thrown)?.len();
        Ok(firstbad_report::card::store(outcomes, &self.oracle.name, &self.oracle.version, &self.path()))
    }

    /// Removes the oracle's outcomes and returns their number.
    #[napi(catch_unwind)]
    pub fn forget(&mut self) -> napi::Result<f64> {
        Ok(self.store.forget(Some(&self.oracle)).map_err(thrown)? as f64)
    }
}

impl BindingStore {
    /// Returns the cache for a search, which has the name `run` in the store.
    pub(crate) fn cache(&self, run: String, keys: Keys) -> napi::Result<StoreCache> {
        let again = Store::open(self.store.path()).map_err(thrown)?;
        Ok(StoreCache::new(again, self.oracle.clone(), run, keys))
    }
}

#[napi]
impl BindingSearch {
    /// Shares outcomes by target. `items` identifies the items of sets.
    #[napi(catch_unwind)]
    pub fn share(&mut self, store: &BindingStore, run: String, items: Option<String>) -> napi::Result<()> {
        self.share_with(store, run, Keys::Targets { items })
    }

    /// Shares outcomes by the caller's keys, given as a JSON object from revisions to keys.
    #[napi(catch_unwind)]
    pub fn share_by_keys(&mut self, store: &BindingStore, run: String, keys: String) -> napi::Result<()> {
        self.share_with(store, run, Keys::Own(parsed("key", &keys)?))
    }

    /// Shares outcomes between revisions with the same files.
    #[napi(catch_unwind)]
    pub fn share_by_trees(&mut self, store: &BindingStore, run: String) -> napi::Result<()> {
        let trees = self.trees().map_err(thrown)?;
        self.share_with(store, run, Keys::Own(trees))
    }

    /// Returns why outcomes are no longer shared, if so.
    #[napi(catch_unwind)]
    pub fn cache_trouble(&self) -> Option<String> {
        self.session.cache_trouble().map(str::to_owned)
    }

    /// Returns all revisions of the search as one text, or `None` for a search among items.
    #[napi(catch_unwind)]
    pub fn revisions(&self) -> Option<String> {
        match self.session.inspect().world() {
            World::History(graph) => Some(joined(graph.ids())),
            World::Items(_) => None,
        }
    }
}

impl BindingSearch {
    fn share_with(&mut self, store: &BindingStore, run: String, keys: Keys) -> napi::Result<()> {
        self.session.share(Box::new(store.cache(run, keys)?)).map_err(thrown)
    }

    fn trees(&self) -> Result<HashMap<String, String>, Error> {
        let origin = match self.session.inspect().world() {
            World::History(graph) => graph.origin().cloned().map(|origin| (graph, origin)),
            World::Items(_) => None,
        };
        let Some((graph, origin)) = origin else {
            return Err(Error::invalid(
                "key",
                "tree",
                "another key: trees are those of a graph that was read from git",
            ));
        };
        let revisions: Vec<String> = graph.ids().map(str::to_owned).collect();
        let trees = Repository::open(&origin.repository)?.tree_ids(&revisions)?;
        Ok(trees.into_iter().collect())
    }
}
