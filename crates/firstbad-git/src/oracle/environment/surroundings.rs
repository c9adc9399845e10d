//! What the commands of a test find of their environment.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use firstbad::Error;

use super::VARIABLE;
use super::store::InUse;
use crate::git;
use crate::oracle::options::CommandOptions;

impl InUse {
    /// Has a command find the environment, and its programs first.
    ///
    /// # Errors
    /// [`Error::Io`] where the folder has a name that `PATH` cannot hold.
    pub(in crate::oracle) fn enter(&self, command: &mut Command, options: &CommandOptions) -> Result<(), Error> {
        command.env(VARIABLE, self.folder());
        // What tells Python, too, that a folder is a virtual environment.
        if self.folder().join("pyvenv.cfg").is_file() {
            // As its script `activate` does.
            command.env("VIRTUAL_ENV", self.folder()).env_remove("PYTHONHOME");
        }
        let modules = options.environment.iter().flat_map(|environment| environment.links());
        let modules = modules.filter(|link| link.ends_with("node_modules")).map(|link| link.join(".bin"));
        let programs = std::iter::once(PathBuf::from("bin")).chain(modules).map(|path| self.folder().join(path));
        let programs: Vec<PathBuf> = programs.filter(|path| path.is_dir()).collect();
        if programs.is_empty() {
            return Ok(());
        }
        let given = options.env.iter().rev().find(|(name, _)| name == "PATH").map(|(_, path)| OsString::from(path));
        let usual = given.or_else(|| std::env::var_os("PATH")).unwrap_or_default();
        let path = std::env::join_paths(programs.into_iter().chain(std::env::split_paths(&usual)));
        let path = path.map_err(|error| git::io("setting PATH", &std::io::Error::other(error)))?;
        command.env("PATH", path);
        Ok(())
    }
}
