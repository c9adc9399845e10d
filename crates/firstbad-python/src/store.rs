//! Stores of shared outcomes. Each call opens the store, because open files do not survive a fork.

use std::collections::HashMap;
use std::path::PathBuf;

use firstbad::{Error, json};
use firstbad_journal::Session;
use firstbad_store::{Keys, OracleKey, Store, StoreCache};
use pyo3::prelude::*;

use crate::pace::Step;
use crate::search::{Search, stands};
use crate::work::released;

pub(crate) fn opened<T, W>(py: Python<'_>, path: PathBuf, work: W) -> PyResult<T>
where
    T: Send + 'static,
    W: FnOnce(Store) -> Result<T, Error> + Send + 'static,
{
    released(py, move || Store::open(path).and_then(work), drop)
}

/// Creates a store, or checks an existing one. Returns its absolute path.
#[pyfunction]
pub(crate) fn store(py: Python<'_>, path: PathBuf) -> PyResult<PathBuf> {
    opened(py, path, |store| Ok(store.path().to_owned()))
}

/// Returns the outcomes of an oracle as a JSON list, oldest first.
#[pyfunction]
pub(crate) fn stored(py: Python<'_>, path: PathBuf, oracle: String, version: String) -> PyResult<String> {
    opened(py, path, move |mut store| {
        let entries = store.entries(Some(&OracleKey { name: oracle, version }))?;
        json::text(&entries)
    })
}

/// Returns the number of outcomes of an oracle.
#[pyfunction]
pub(crate) fn count_stored(py: Python<'_>, path: PathBuf, oracle: String, version: String) -> PyResult<usize> {
    opened(py, path, move |mut store| Ok(store.entries(Some(&OracleKey { name: oracle, version }))?.len()))
}

/// Removes the outcomes of an oracle and returns their number.
#[pyfunction]
pub(crate) fn forget_stored(py: Python<'_>, path: PathBuf, oracle: String, version: String) -> PyResult<u64> {
    opened(py, path, move |mut store| store.forget(Some(&OracleKey { name: oracle, version })))
}

/// Shares the outcomes of a search, which has the name `run` in the store. Revisions are shared by `keys`, or by their ids if
/// there are no keys. Sets of items are shared if `items` identifies the items.
#[pyfunction]
pub(crate) fn share(
    search: &Bound<'_, Search>,
    path: PathBuf,
    oracle: (String, String),
    run: String,
    keys: Option<HashMap<String, String>>,
    items: Option<String>,
) -> PyResult<()> {
    let (name, version) = oracle;
    let keys = keys.map_or(Keys::Targets { items }, Keys::Own);
    let share = move |session: &mut Session| {
        session.share(Box::new(StoreCache::new(Store::open(path)?, OracleKey { name, version }, run, keys)))
    };
    search.get().step(search.py(), Step::Disk, share, stands)
}

/// Returns why the outcomes of a search are no longer shared, if so.
#[pyfunction]
pub(crate) fn store_trouble(search: &Bound<'_, Search>) -> Option<String> {
    search.get().brief(search.py(), |session| session.cache_trouble().map(str::to_owned))
}
