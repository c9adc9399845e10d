//! `--fetch`.

use std::path::Path;

use clap::Args;
use firstbad::Error;
use firstbad_git::Repository;

use super::help::REVISIONS;
use crate::streams;

#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct FetchArgs {
    /// Fetch missing commits and files from the remote
    ///
    /// Completes the history of a shallow clone, and fetches the files of a partial clone. firstbad fetches from the remote that your
    /// branch tracks.
    #[arg(long, hide_short_help = true, help_heading = REVISIONS)]
    pub(crate) fetch: bool,
}

impl FetchArgs {
    /// Opens the repository in a folder. With `--fetch`, completes its history.
    ///
    /// # Errors
    /// Returns the errors of [`Repository::open`] and [`Repository::complete_history`].
    pub(crate) fn open(self, folder: &Path) -> Result<Repository, Error> {
        let repository = Repository::open(folder)?.fetching(self.fetch);
        if self.fetch && !repository.boundary()?.is_empty() {
            streams::working("fetching the rest of the history", || repository.complete_history())?;
        }
        Ok(repository)
    }
}
