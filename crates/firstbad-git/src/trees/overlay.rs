//! Files and folders that every tree has as one revision has them.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use firstbad::Error;
use firstbad_platform::files;

use crate::git;
use crate::repository::Repository;

/// Files and folders that are laid over every tree as they are at one revision: a test that older revisions do not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlay {
    /// The revision that has them.
    pub revision: String,
    /// The files and folders, from the top of the repository, each by its name and not as a pattern. A folder is laid over
    /// whole: what another revision has in it besides goes away.
    pub paths: Vec<PathBuf>,
}

/// An overlay that was looked up.
#[derive(Debug)]
pub(crate) struct Laid {
    pub(crate) paths: Vec<OsString>,
    /// Their files, as `git ls-tree -z` prints them.
    pub(crate) entries: Vec<u8>,
}

impl Laid {
    /// `argument` is what errors call it.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`], [`Error::UnknownRevision`], [`Error::AmbiguousRevision`], [`Error::Git`].
    pub(crate) fn of(repository: &Repository, argument: &str, overlay: &Overlay) -> Result<Laid, Error> {
        if overlay.paths.is_empty() {
            return Err(Error::invalid(argument, &overlay.paths, "at least one path"));
        }
        let commit = repository.resolve_as(argument, &overlay.revision)?;
        let mut laid = Laid { paths: Vec::new(), entries: Vec::new() };
        for path in &overlay.paths {
            if !laid.add(repository, argument, &commit, path)? {
                let expected = format!("a file or a folder that {} has", overlay.revision);
                return Err(Error::invalid(argument, path, expected));
            }
        }
        Ok(laid)
    }

    /// Paths as a commit, a full sha, has them: also those that it has not.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names `paths`; [`Error::Git`].
    pub(crate) fn where_there(repository: &Repository, commit: &str, paths: &[String]) -> Result<Laid, Error> {
        let mut laid = Laid { paths: Vec::new(), entries: Vec::new() };
        for path in paths {
            laid.add(repository, "paths", commit, Path::new(path))?;
        }
        Ok(laid)
    }

    /// Adds a path as a commit has it, and says whether it has it at all.
    fn add(&mut self, repository: &Repository, argument: &str, commit: &str, path: &Path) -> Result<bool, Error> {
        let name = plain(argument, path)?;
        let mut command = repository.git();
        command.arg("--literal-pathspecs").args(["ls-tree", "--full-tree", "-r", "-z", commit, "--"]).arg(&name);
        let entries = git::output(&mut command, b"")?;
        let is_there = !entries.is_empty();
        self.entries.extend(entries);
        self.paths.push(name);
        Ok(is_there)
    }
}

/// A path without what git would resolve.
fn plain(argument: &str, path: &Path) -> Result<OsString, Error> {
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let name: PathBuf = path.components().collect();
    if !is_plain || name.as_os_str().is_empty() || name.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(Error::invalid(argument, path, "a file or a folder, from the top of the repository"));
    }
    Ok(files::with_slashes(&name).into_owned())
}
