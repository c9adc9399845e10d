//! What was seen of trees, here and by other searches: equal trees are equal files, and are tested once.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use firstbad::search::{Answer, answers};
use firstbad::{Error, Event, Observation, OutcomeCache, Target};
use serde_json::Value;

/// What was seen of which tree.
#[derive(Debug)]
pub(crate) struct Seen {
    /// Before the id of a tree, where it is shared: what was done with the tree.
    kind: &'static str,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// By the full ids of trees.
    here: HashMap<String, Observation>,
    others: Option<Box<dyn OutcomeCache>>,
    /// Why the others are not asked any more.
    trouble: Option<String>,
}

impl fmt::Debug for Inner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { here, trouble, .. } = self;
        formatter.debug_struct("Inner").field("here", here).field("trouble", trouble).finish_non_exhaustive()
    }
}

impl Seen {
    /// Nothing yet. To other searches a tree is the revision `kind:` and its full id.
    pub(crate) fn new(kind: &'static str) -> Seen {
        Seen { kind, inner: Mutex::default() }
    }

    /// Shares what is seen from here on.
    pub(crate) fn share(&self, cache: Box<dyn OutcomeCache>) {
        let mut inner = self.lock();
        (inner.others, inner.trouble) = (Some(cache), None);
    }

    /// Why outcomes are not shared any more; `None` if they are, or never were.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.lock().trouble.clone()
    }

    /// What was seen of a tree, here or by another search; `None` if nobody tested it.
    pub(crate) fn of(&self, tree: &str) -> Option<Observation> {
        let mut inner = self.lock();
        if let Some(seen) = inner.here.get(tree) {
            return Some(seen.clone());
        }
        let seen = inner.shared(&self.named(tree), |cache, key| cache.outcomes(key))?.into_iter().next()?;
        inner.here.insert(tree.to_owned(), seen.clone());
        Some(seen)
    }

    /// Adds what a run saw.
    pub(crate) fn add(&self, tree: &str, seen: &Observation) {
        let mut inner = self.lock();
        inner.here.insert(tree.to_owned(), seen.clone());
        inner.shared(&self.named(tree), |cache, key| cache.keep(key, seen));
    }

    fn remember(&self, tree: &str, seen: &Observation) {
        self.lock().here.entry(tree.to_owned()).or_insert_with(|| seen.clone());
    }

    /// Adds what a search was told before it was taken up again, less what was taken back, of the targets that share: the tree is in
    /// the observations' signals, see [`told`].
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

    // Nothing can panic while the lock is held, so a poisoned one is as good.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// What the others' cache answers; `None` if it has no key for that, or fails: then it is not asked again.
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
