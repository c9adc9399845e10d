//! Overlays: files that are the same in every tree.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use firstbad::Error;
use firstbad_platform::files;

use crate::git;
use crate::repository::Repository;

/// Files and folders of one revision that replace those of every other tree, for example a test that older revisions do not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlay {
    /// The revision that contains the files.
    pub revision: String,
    /// The files and folders relative to the top of the repository, as names and not patterns. A folder replaces the whole folder
    /// of another revision.
    pub paths: Vec<PathBuf>,
}

/// An overlay with its files.
#[derive(Debug)]
pub(crate) struct Laid {
    pub(crate) paths: Vec<OsString>,
    /// The files in the format of `git ls-tree -z`.
    pub(crate) entries: Vec<u8>,
}

impl Laid {
    /// Looks up an overlay. `argument` is its name in errors.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`], [`Error::UnknownRevision`], or [`Error::AmbiguousRevision`] if the overlay is invalid.
    /// [`Error::Git`] if Git fails.
    pub(crate) fn of(repository: &Repository, argument: &str, overlay: &Overlay) -> Result<Laid, Error> {
        if overlay.paths.is_empty() {
            return Err(Error::invalid(argument, &overlay.paths, "at least one path"));
        }
        let commit = repository.resolve_as(argument, &overlay.revision)?;
        let mut laid = Laid { paths: Vec::new(), entries: Vec::new() };
        for path in &overlay.paths {
            if !laid.add(repository.git(), argument, &commit, path)? {
                let expected = format!("a file or folder in {}", overlay.revision);
                return Err(Error::invalid(argument, path, expected));
            }
        }
        Ok(laid)
    }

    /// Looks up paths in a commit or a tree, given its full id. Missing paths are allowed.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `paths`. [`Error::Git`] if Git fails.
    pub(crate) fn where_there(command: impl Fn() -> Command, tree: &str, paths: &[String]) -> Result<Laid, Error> {
        let mut laid = Laid { paths: Vec::new(), entries: Vec::new() };
        for path in paths {
            laid.add(command(), "paths", tree, Path::new(path))?;
        }
        Ok(laid)
    }

    /// Adds a path of a commit, and returns whether it exists.
    fn add(&mut self, mut command: Command, argument: &str, commit: &str, path: &Path) -> Result<bool, Error> {
        let name = plain(argument, path)?;
        command.arg("--literal-pathspecs").args(["ls-tree", "--full-tree", "-r", "-z", commit, "--"]).arg(&name);
        let entries = git::output(&mut command, b"")?;
        let is_there = !entries.is_empty();
        self.entries.extend(entries);
        self.paths.push(name);
        Ok(is_there)
    }
}

/// Returns a path without parts that Git would resolve.
fn plain(argument: &str, path: &Path) -> Result<OsString, Error> {
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let name: PathBuf = path.components().collect();
    if !is_plain || name.as_os_str().is_empty() || name.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(Error::invalid(argument, path, "a file or a folder, from the top of the repository"));
    }
    Ok(files::with_slashes(&name).into_owned())
}
