//! Locations of environments.

use std::path::PathBuf;

use firstbad::Error;
use firstbad_git::Repository;
use firstbad_git::cache::{self, absolute, making};

use crate::options::CommandOptions;
use crate::options::environment::Environment;

/// The location of an oracle's environments.
#[derive(Debug)]
pub(crate) struct Environments {
    pub(crate) environment: Environment,
    pub(crate) above: PathBuf,
}

impl Environments {
    /// Returns the location, or `None` if the test has no environment.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the folder is inside the repository's worktree, and [`Error::Io`].
    pub(crate) fn of(repository: &Repository, options: &CommandOptions) -> Result<Option<Environments>, Error> {
        let Some(environment) = options.environment.clone() else { return Ok(None) };
        let Some(folder) = &options.environments else {
            return Ok(Some(Environments { environment, above: repository.cache_folder("environments")? }));
        };
        let folder = absolute(folder)?;
        if cache::is_inside(&folder, repository) {
            let expected = "a folder outside the repository's worktree";
            return Err(Error::invalid("environments", folder, expected));
        }
        let above = folder.join(cache::name(repository));
        cache::make(&above).map_err(|error| making(&above, &error))?;
        Ok(Some(Environments { environment, above }))
    }
}
