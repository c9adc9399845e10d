//! What a search has to see, from a repository.

use firstbad::{Error, Request, Target};

use crate::repository::Repository;

impl Repository {
    /// What a search asks to see, as [`Search::give`](firstbad::Search::give) takes it.
    ///
    /// # Errors
    /// Those of [`Repository::diff`], [`Repository::file`] and [`Repository::paths`]; [`Error::InvalidArgument`] for a
    /// request that this version does not know.
    pub fn read(&self, request: &Request) -> Result<Vec<u8>, Error> {
        match request {
            Request::Diff { from, to } => self.diff(plain("from", from)?, plain("to", to)?),
            Request::File { revision, path } => Ok(self.file(revision, path)?.unwrap_or_default()),
            Request::Tree { revision } => {
                let mut joined = Vec::new();
                for path in self.paths(revision)? {
                    joined.extend(path);
                    joined.push(0);
                }
                Ok(joined)
            }
            other => Err(Error::invalid("request", other, "a diff, a file or a tree")),
        }
    }
}

/// The revision, if there are no changes on it.
fn plain<'a>(argument: &str, target: &'a Target) -> Result<&'a str, Error> {
    match target {
        Target { revision: Some(revision), changes: None, .. } => Ok(revision),
        changed => Err(Error::invalid(argument, changed.to_string(), "a revision by itself")),
    }
}
