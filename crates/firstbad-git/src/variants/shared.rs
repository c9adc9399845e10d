//! What other searches saw of the same files.

use std::fmt;
use std::sync::{MutexGuard, PoisonError};

use firstbad::{Error, Observation, OutcomeCache, Target};

use super::Variants;

/// Outcomes of trees that searches share.
pub(super) struct Shared {
    cache: Box<dyn OutcomeCache>,
    /// Why the cache is not used any more.
    trouble: Option<String>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Shared").field("trouble", &self.trouble).finish_non_exhaustive()
    }
}

impl Shared {
    /// What the cache answers; `None` if it has no key for that, or fails: then it is not asked again.
    fn asked<T>(
        &mut self,
        of: &Target,
        ask: impl FnOnce(&mut dyn OutcomeCache, &str) -> Result<T, Error>,
    ) -> Option<T> {
        let key = self.trouble.is_none().then(|| self.cache.key(of))??;
        ask(&mut *self.cache, &key).map_err(|error| self.trouble = Some(error.to_string())).ok()
    }
}

impl Variants {
    /// Shares what is seen of trees, from here on: a tree that another search tested is not run again. In the cache it is the
    /// revision `tree:` and the tree's full id; where a control is run, `tree with a control:` and that id.
    pub fn share(&self, cache: Box<dyn OutcomeCache>) {
        *self.shared() = Some(Shared { cache, trouble: None });
    }

    /// Why outcomes are not shared any more; `None` if they are, or never were.
    #[must_use]
    pub fn cache_trouble(&self) -> Option<String> {
        self.shared().as_ref().and_then(|shared| shared.trouble.clone())
    }

    /// What another search saw of a tree first.
    pub(super) fn of_others(&self, tree: &str) -> Option<Observation> {
        let name = self.shared_name(tree);
        self.shared().as_mut()?.asked(&name, |cache, key| cache.outcomes(key))?.into_iter().next()
    }

    /// For other searches.
    pub(super) fn keep(&self, tree: &str, seen: &Observation) {
        let name = self.shared_name(tree);
        if let Some(shared) = self.shared().as_mut() {
            shared.asked(&name, |cache, key| cache.keep(key, seen));
        }
    }

    fn shared_name(&self, tree: &str) -> Target {
        let kind = if self.controlled { "tree with a control" } else { "tree" };
        format!("{kind}:{tree}").as_str().into()
    }

    // Nothing can panic while the lock is held, so a poisoned one is as good.
    fn shared(&self) -> MutexGuard<'_, Option<Shared>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
