//! What people know a commit by.

use std::collections::BTreeMap;

use firstbad::Error;
use firstbad_git::{CommitInfo, Repository};
use serde::Serialize;

/// What people know a commit by. The texts are whatever its author wrote: what prints them makes them harmless.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Commit {
    pub(crate) subject: String,
    pub(crate) author: String,
    pub(crate) email: String,
    /// When it was written, as ISO 8601.
    pub(crate) date: String,
}

impl Commit {
    /// The commits of these revisions.
    ///
    /// # Errors
    /// [`Error::Git`].
    pub(super) fn all(repository: &Repository, revisions: Vec<&str>) -> Result<BTreeMap<String, Commit>, Error> {
        let found = repository.describe(revisions)?;
        let commit = |CommitInfo { subject, author, email, date }| Commit { subject, author, email, date };
        Ok(found.into_iter().map(|(sha, info)| (sha, commit(info))).collect())
    }

    /// The day on which it was written.
    pub(crate) fn day(&self) -> &str {
        self.date.split('T').next().unwrap_or_default()
    }
}
