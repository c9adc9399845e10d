use crate::error::Error;
use crate::search::Observation;
use crate::search::Target;

/// A cache of outcomes that searches share. Without it, a search has the same result but needs more runs.
pub trait OutcomeCache: Send + Sync {
    /// Returns the cache key of a target. Targets with equal keys share outcomes. `None` means that outcomes are not shared.
    fn key(&self, target: &Target) -> Option<String>;

    /// Returns the targets with outcomes of other searches, oldest first. A search is told these outcomes before it asks.
    ///
    /// If the cache cannot list its targets, the list is empty. The search then finds each outcome when it asks for the target.
    ///
    /// # Errors
    /// [`Error::Store`] if the store cannot be read.
    fn targets(&mut self) -> Result<Vec<Target>, Error> {
        Ok(Vec::new())
    }

    /// Returns the outcomes of other searches under a key, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`] if the store cannot be read.
    fn outcomes(&mut self, key: &str) -> Result<Vec<Observation>, Error>;

    /// Returns the number of outcomes that this search has stored under a key, or `None` if the cache does not count them.
    ///
    /// # Errors
    /// [`Error::Store`] if the store cannot be read.
    fn kept(&mut self, _key: &str) -> Result<Option<usize>, Error> {
        Ok(None)
    }

    /// Stores an outcome of this search.
    ///
    /// # Errors
    /// [`Error::Store`] if the store cannot be written.
    fn keep(&mut self, key: &str, observation: &Observation) -> Result<(), Error>;
}
