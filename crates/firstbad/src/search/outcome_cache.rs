//! Outcomes that searches share: what one has paid for, no other pays for again.

use crate::error::Error;
use crate::search::Observation;
use crate::search::Target;

/// Outcomes kept apart from any search. It is a cache: without it a search costs more and ends the same.
pub trait OutcomeCache: Send + Sync {
    /// The key of what is tested; targets with equal keys share their outcomes. `None` if there is none, and then nothing is
    /// shared.
    fn key(&self, target: &Target) -> Option<String>;

    /// The targets that other searches saw something of, in the order of what was kept first: a search is told of them before it
    /// asks. Where they cannot be known none, and then a search learns of each when it would ask for it.
    ///
    /// # Errors
    /// [`Error::Store`].
    fn targets(&mut self) -> Result<Vec<Target>, Error> {
        Ok(Vec::new())
    }

    /// What other searches saw under a key, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    fn outcomes(&mut self, key: &str) -> Result<Vec<Observation>, Error>;

    /// Returns how many outcomes this search has kept under a key, or `None` if the cache does not count them.
    ///
    /// # Errors
    /// [`Error::Store`].
    fn kept(&mut self, _key: &str) -> Result<Option<usize>, Error> {
        Ok(None)
    }

    /// Keeps what this search saw.
    ///
    /// # Errors
    /// [`Error::Store`].
    fn keep(&mut self, key: &str, observation: &Observation) -> Result<(), Error>;
}
