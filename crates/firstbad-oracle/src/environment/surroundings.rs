//! The variables that commands get from an environment.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;

use firstbad::Error;
use firstbad_git::git;

use super::store::InUse;
use crate::options::CommandOptions;
use crate::options::environment::VARIABLE;

/// The folder for programs of an environment, besides that of Node modules. Virtual environments on Windows have another name for
/// it.
const PROGRAMS: &str = if cfg!(windows) { "Scripts" } else { "bin" };

impl InUse {
    /// Adds the environment's variables to a command.
    pub(crate) fn enter(&self, command: &mut Command) {
        command.env(VARIABLE, self.folder());
        // Python also uses this file to recognize a virtual environment.
        if self.folder().join("pyvenv.cfg").is_file() {
            // As the `activate` script does.
            command.env("VIRTUAL_ENV", self.folder()).env_remove("PYTHONHOME");
        }
    }

    /// Returns `PATH` with the environment's programs first, or `None` if it has no programs.
    ///
    /// # Errors
    /// [`Error::Io`] if `PATH` cannot contain the folder's name.
    pub(crate) fn path(&self, usual: Option<&OsStr>, options: &CommandOptions) -> Result<Option<OsString>, Error> {
        let modules = options.environment.iter().flat_map(|environment| environment.links());
        let modules = modules.filter(|link| link.ends_with("node_modules")).map(|link| link.join(".bin"));
        let programs = std::iter::once(PathBuf::from(PROGRAMS)).chain(modules).map(|path| self.folder().join(path));
        let programs: Vec<PathBuf> = programs.filter(|path| path.is_dir()).collect();
        if programs.is_empty() {
            return Ok(None);
        }
        let usual = std::env::split_paths(usual.unwrap_or_default());
        let path = std::env::join_paths(programs.into_iter().chain(usual));
        path.map(Some).map_err(|error| git::io("setting PATH", &std::io::Error::other(error)))
    }
}
