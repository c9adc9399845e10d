//! Reading the content that a search requests.

use firstbad::{Error, Request, Target};

use crate::repository::Repository;

impl Repository {
    /// Reads the content of a request, for [`Search::give`](firstbad::Search::give).
    ///
    /// # Errors
    /// The errors of [`Repository::diff`], [`Repository::file`], and [`Repository::paths`]. [`Error::InvalidArgument`] for an
    /// unknown kind of request.
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

/// Returns the revision of a target without changes.
fn plain<'a>(argument: &str, target: &'a Target) -> Result<&'a str, Error> {
    match target {
        Target { revision: Some(revision), changes: None, .. } => Ok(revision),
        changed => Err(Error::invalid(argument, changed.to_string(), "a revision without changes")),
    }
}
