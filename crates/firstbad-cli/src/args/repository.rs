//! The repository of a command.

use std::path::Path;

use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The repository of a command: the current folder, which `-C` changes before a command runs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RepositoryArgs {
    is_given: bool,
}

impl RepositoryArgs {
    /// Returns a folder inside the repository.
    pub(crate) fn folder(&self) -> &Path {
        Path::new(".")
    }

    /// Returns the folder if `-C` is given. Otherwise, a journal can name another repository.
    pub(crate) fn named(&self) -> Option<&Path> {
        self.is_given.then(|| self.folder())
    }
}

// `-C` is a global option, so this type adds no argument.
impl Args for RepositoryArgs {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for RepositoryArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(RepositoryArgs { is_given: matches.try_contains_id("directory").unwrap_or_default() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
