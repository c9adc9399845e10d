//! What a clone does not have.

use std::path::Path;

use clap::Args;
use firstbad::Error;
use firstbad_git::Repository;

use crate::streams;

/// Whether what a clone lacks is fetched.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct FetchArgs {
    /// Fetch what this clone does not have, into it: the rest of a shallow history, and the files of a partial clone, all of a
    /// revision at once. From the remote that the branch tracks
    #[arg(long)]
    pub(crate) fetch: bool,
}

impl FetchArgs {
    /// The repository in a folder, its history whole where that is asked for.
    ///
    /// # Errors
    /// Those of [`Repository::open`] and [`Repository::complete_history`].
    pub(crate) fn open(self, folder: &Path) -> Result<Repository, Error> {
        let repository = Repository::open(folder)?.fetching(self.fetch);
        if self.fetch && !repository.boundary()?.is_empty() {
            streams::working("fetching the rest of the history", || repository.complete_history())?;
        }
        Ok(repository)
    }
}
