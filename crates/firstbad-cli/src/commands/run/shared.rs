//! Outcomes that runs share through a file.

use std::collections::HashMap;

use firstbad::{Error, Search as _, World};
use firstbad_store::{Keys, OracleKey, Store, StoreCache};

use super::opening::Run;
use crate::test;

/// Shares outcomes through the store, if one is named. One that cannot be opened only costs time: that is a note, and
/// no error.
///
/// # Errors
/// Those of reading trees from the repository.
pub(super) fn share(run: &mut Run) -> Result<(), Error> {
    let (Some(path), World::History(graph)) = (&run.driver.store, run.session.inspect().world()) else {
        return Ok(());
    };
    let store = match Store::open(path) {
        Ok(store) => store,
        Err(error) => {
            run.notes.push(format!("outcomes are not shared: {error}"));
            return Ok(());
        }
    };
    let revisions: Vec<String> = graph.ids().map(str::to_owned).collect();
    let trees = run.repository.tree_ids(&revisions)?;
    // What else a revision is than its tree, a test seldom sees.
    let keys: HashMap<String, String> = trees.into_iter().collect();
    let id = run.session.header().map_or_else(|| format!("process {}", std::process::id()), |header| header.id.clone());
    let oracle = OracleKey { name: test::words(&run.test)?, version: String::new() };
    run.session.share(Box::new(StoreCache::new(store, oracle, id, Keys::Own(keys))))
}
