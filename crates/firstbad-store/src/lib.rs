//! A store of test outcomes in one SQLite file, shared by all runs.
//!
//! A [`Store`] is the file. A [`StoreCache`] is the [`OutcomeCache`](firstbad::OutcomeCache) of one search in it. Any number of
//! processes can use a file at the same time. You can delete the file at any time: the outcomes are then computed again.
//!
//! ```
//! use firstbad::{Observation, OutcomeCache as _, Outcome};
//! use firstbad_store::{Keys, OracleKey, Store, StoreCache};
//!
//! # let folder = std::env::temp_dir().join(format!("firstbad-store-example-{}", std::process::id()));
//! # let path = folder.join("outcomes.db");
//! let oracle = OracleKey { name: "pytest tests/test_a.py".into(), version: "1".into() };
//! let cache = |run: &str| -> Result<StoreCache, firstbad::Error> {
//!     Ok(StoreCache::new(Store::open(&path)?, oracle.clone(), run, Keys::Targets { items: None }))
//! };
//!
//! let mut monday = cache("monday")?;
//! let key = monday.key(&"v1.2".into()).ok_or("a revision has a key")?;
//! monday.keep(&key, &Observation::new(Outcome::Fail))?;
//!
//! let mut tuesday = cache("tuesday")?;
//! assert_eq!(tuesday.outcomes(&key)?, [Observation::new(Outcome::Fail)]);
//! assert_eq!(monday.outcomes(&key)?, []); // A cache leaves out the outcomes of its own run.
//! # drop((monday, tuesday)); // Windows cannot delete an open file.
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod failure;
mod file;
mod kept;
mod keys;
mod lock;
mod store;

pub use cache::StoreCache;
pub use kept::{Entry, Kept, OracleKey};
pub use keys::Keys;
pub use store::Store;
