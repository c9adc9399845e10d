//! Queries about paths.

use std::path::Path;

use firstbad::Error;

use crate::git;
use crate::repository::Repository;

impl Repository {
    /// Returns the files among `paths` that a revision does not have.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails. In a partial clone, also the errors of [`Repository::complete_revisions`].
    pub fn missing_files(&self, revision: &str, paths: &[String]) -> Result<Vec<String>, Error> {
        let listed = || self.paths_of(&["ls-tree", "-z", "--name-only", "--full-tree", revision, "--"], paths);
        let there = match listed() {
            // A clone without trees must fetch them first.
            Err(_) if self.promisor().is_some() => {
                self.complete_revisions(&[revision])?;
                listed()?
            }
            listed => listed?,
        };
        Ok(paths.iter().filter(|path| !there.contains(path)).cloned().collect())
    }

    /// Returns the paths whose contents Git converts at a checkout.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub fn converted(&self, paths: &[String]) -> Result<Vec<String>, Error> {
        let printed = self.paths_of(&["check-attr", "-z", "filter", "ident", "working-tree-encoding", "--"], paths)?;
        let is_set = |said: &&[String]| !matches!(said[2].as_str(), "unspecified" | "unset");
        Ok(printed.chunks_exact(3).filter(is_set).map(|said| said[0].clone()).collect())
    }

    /// Returns whether the repository has a checkout. A bare repository does not.
    #[must_use]
    pub fn has_checkout(&self) -> bool {
        self.path() != self.git_dir()
    }

    /// Returns the paths, including parents of `paths`, that Git ignores.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub fn ignored(&self, paths: &[String]) -> Result<Vec<String>, Error> {
        let all = paths.iter().flat_map(|path| Path::new(path).ancestors()).filter_map(Path::to_str);
        let names: Vec<String> = all.filter(|name| !name.is_empty()).map(|name| format!("{name}\0")).collect();
        let mut command = self.git();
        command.args(["check-ignore", "-z", "--stdin"]);
        let ended = git::ended(&mut command, names.concat().as_bytes())?;
        match ended.status.code() {
            Some(0 | 1) => Ok(git::names_of(&ended.stdout)),
            _ => Err(git::failed(&command, &ended.stderr)),
        }
    }

    /// Runs a Git command with literal paths and returns the paths that it prints.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub fn paths_of(&self, arguments: &[&str], paths: &[String]) -> Result<Vec<String>, Error> {
        let mut command = self.git();
        command.arg("--literal-pathspecs").args(arguments).args(paths);
        git::output(&mut command, b"").map(|printed| git::names_of(&printed))
    }
}
