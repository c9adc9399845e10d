//! Outcomes that searches share: what one has paid for, no other pays for again.

use crate::error::Error;
use crate::search::Observation;
use crate::search::Target;

/// Outcomes kept apart from any search. It is a cache: without it a search costs more and ends the same.
pub trait OutcomeCache: Send + Sync {
    /// The key of what is tested; targets with equal keys share their outcomes. `None` if there is none, and then
    /// nothing is shared.
    fn key(&self, target: &Target) -> Option<String>;

    /// What other searches saw under a key, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    fn recall(&mut self, key: &str) -> Result<Vec<Observation>, Error>;

    /// Keeps what this search saw.
    ///
    /// # Errors
    /// [`Error::Store`].
    fn keep(&mut self, key: &str, observation: &Observation) -> Result<(), Error>;
}
