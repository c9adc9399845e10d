//! What people know a commit by.

use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};

use firstbad::Error;
use firstbad_git::Repository;
use serde::Serialize;

/// What people know a commit by. The texts are whatever its author wrote: what prints them makes them harmless.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Commit {
    /// The first line of its message.
    pub(crate) subject: String,
    /// Who wrote it.
    pub(crate) author: String,
    /// When it was committed, as ISO 8601, in UTC.
    pub(crate) date: String,
}

impl Commit {
    /// The commits of these revisions.
    ///
    /// # Errors
    /// [`Error::Git`].
    pub(super) fn all(repository: &Repository, revisions: Vec<&str>) -> Result<BTreeMap<String, Commit>, Error> {
        let of = |commit: firstbad_git::Commit| {
            let firstbad_git::Commit { sha, subject, author, time } = commit;
            (sha, Commit { subject, author, date: date(time) })
        };
        Ok(repository.commits(revisions)?.into_iter().map(of).collect())
    }

    /// The day on which it was committed.
    pub(crate) fn day(&self) -> &str {
        self.date.split('T').next().unwrap_or_default()
    }
}

/// Seconds since 1970 as a date; empty for times before, and for years after 9999.
fn date(time: i64) -> String {
    // The year 9999 is the last that the format has room for.
    let seconds = u64::try_from(time).ok().filter(|&seconds| seconds < 253_402_300_800);
    seconds
        .map(|seconds| humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(seconds)).to_string())
        .unwrap_or_default()
}
