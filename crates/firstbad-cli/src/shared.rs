//! Shares outcomes through a store. If the store cannot be used, the search continues without it.

use std::collections::HashMap;
use std::path::Path;

use firstbad::{Error, OutcomeCache, Search as _, World};
use firstbad_git::Repository;
use firstbad_journal::Session;
use firstbad_oracle::TestRecord;
use firstbad_store::{Keys, OracleKey, Store, StoreCache};

use crate::{failure, test};

/// A test and its store.
pub(crate) struct SharedTest<'a> {
    pub(crate) store: &'a Path,
    pub(crate) test: &'a TestRecord,
}

impl SharedTest<'_> {
    /// Shares the outcomes of revisions. Returns a note if that fails.
    pub(crate) fn by_revisions(&self, repository: &Repository, session: &mut Session) -> Result<Option<String>, Error> {
        let World::History(graph) = session.inspect().world() else { return Ok(None) };
        let revisions: Vec<String> = graph.ids().map(str::to_owned).collect();
        // Tests rarely depend on more than the tree of a revision.
        let keys: HashMap<String, String> = repository.tree_ids(&revisions)?.into_iter().collect();
        match self.opened(session, Keys::Own(keys))? {
            Ok(cache) => session.share(cache).map(|()| None),
            Err(note) => Ok(Some(note)),
        }
    }

    /// Shares the outcomes of trees. Returns a note if that fails.
    pub(crate) fn by_trees(
        &self,
        share: impl FnOnce(Box<dyn OutcomeCache>),
        session: &Session,
    ) -> Result<Option<String>, Error> {
        Ok(match self.opened(session, Keys::trees())? {
            Ok(cache) => {
                share(cache);
                None
            }
            Err(note) => Some(note),
        })
    }

    fn opened(&self, session: &Session, keys: Keys) -> Result<Result<Box<dyn OutcomeCache>, String>, Error> {
        let oracle = OracleKey { name: test::words(self.test)?, version: String::new() };
        let process = || format!("process {}", std::process::id());
        let run = session.header().map_or_else(process, |header| header.id.clone());
        Ok(match Store::open(self.store) {
            Ok(store) => Ok(Box::new(StoreCache::new(store, oracle, run, keys))),
            Err(error) => Err(format!("--store is not used: {}", failure::words(&error))),
        })
    }
}

/// Returns the note for a store that failed during the search.
pub(crate) fn no_more(trouble: &str) -> String {
    format!("--store is no longer used: {trouble}")
}
