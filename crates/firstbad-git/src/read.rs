//! What a search has to see, from a repository.

use firstbad::{Error, Request};

use crate::repository::Repository;

impl Repository {
    /// What a search asks to see.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`]; [`Error::InvalidArgument`] for what a repository does
    /// not know; [`Error::Git`].
    pub fn read(&self, request: &Request) -> Result<Vec<u8>, Error> {
        match request {
            Request::Diff { from, to } => self.diff(from, to),
            other => Err(Error::invalid("request", other.to_string(), "the patch from one revision to another")),
        }
    }
}
