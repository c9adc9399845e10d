//! Observations of trees, from this and other searches. Equal trees are tested once.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use firstbad::search::{Answer, answers};
use firstbad::{Error, Event, Observation, OutcomeCache, Target};
use serde_json::Value;

/// The observations by tree.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The prefix of shared tree ids, which says how the trees were tested.
    kind: &'static str,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// The observations by full tree id.
    here: HashMap<String, Observation>,
    others: Option<Box<dyn OutcomeCache>>,
    /// Why the cache is no longer used.
    trouble: Option<String>,
}

impl fmt::Debug for Inner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { here, trouble, .. } = self;
        formatter.debug_struct("Inner").field("here", here).field("trouble", trouble).finish_non_exhaustive()
    }
}

impl Seen {
    /// Creates an empty collection. Other searches see a tree as the revision `kind:` followed by its full id.
    pub(crate) fn new(kind: &'static str) -> Seen {
        Seen { kind, inner: Mutex::default() }
    }

    /// Shares observations through a cache from now on.
    pub(crate) fn share(&self, cache: Box<dyn OutcomeCache>) {
        let mut inner = self.lock();
        (inner.others, inner.trouble) = (Some(cache), None);
    }

    /// Returns why sharing outcomes has stopped, or `None` if there was no error.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.lock().trouble.clone()
    }

    /// Returns the observation of a tree from this or another search.
    pub(crate) fn of(&self, tree: &str) -> Option<Observation> {
        let mut inner = self.lock();
        if let Some(seen) = inner.here.get(tree) {
            return Some(seen.clone());
        }
        let seen = inner.shared(&self.named(tree), |cache, key| cache.outcomes(key))?.into_iter().next()?;
        inner.here.insert(tree.to_owned(), seen.clone());
        Some(seen)
    }

    /// Adds the observation of a run.
    pub(crate) fn add(&self, tree: &str, seen: &Observation) {
        let mut inner = self.lock();
        inner.here.insert(tree.to_owned(), seen.clone());
        inner.shared(&self.named(tree), |cache, key| cache.keep(key, seen));
    }

    fn remember(&self, tree: &str, seen: &Observation) {
        self.lock().here.entry(tree.to_owned()).or_insert_with(|| seen.clone());
    }

    /// Adds the observations of a resumed search that are still valid, for targets that are shared. The signals of an observation
    /// contain the tree, see [`told`].
    pub(crate) fn remember_all(&self, events: &[Event], is_shared: impl Fn(&Target) -> bool) {
        for Answer { target, observation, is_told, .. } in answers(events) {
            let tree = observation.signals.as_ref().and_then(|signals| signals.get("tree"));
            if let Some(tree) = tree.and_then(Value::as_str)
                && is_told
                && observation.ran
                && is_shared(target)
            {
                self.remember(tree, observation);
            }
        }
    }

    fn named(&self, tree: &str) -> Target {
        format!("{}:{tree}", self.kind).as_str().into()
    }

    // No code panics while the lock is held, so a poisoned lock is still valid.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Uses the cache. Returns `None` if there is no key or an error occurs. After an error, the cache is no longer used.
    fn shared<T>(
        &mut self,
        of: &Target,
        ask: impl FnOnce(&mut dyn OutcomeCache, &str) -> Result<T, Error>,
    ) -> Option<T> {
        let others = self.others.as_mut().filter(|_| self.trouble.is_none())?;
        let key = others.key(of)?;
        ask(&mut **others, &key).map_err(|error| self.trouble = Some(error.to_string())).ok()
    }
}
