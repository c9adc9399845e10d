//! Folders for files that firstbad keeps, such as worktrees and the output of commands.

use std::hash::Hasher as _;
use std::io;
use std::path::{Path, PathBuf};

use firstbad::Error;
use firstbad_platform::{files, folders};
use siphasher::sip::SipHasher13;

use crate::git;
use crate::repository::Repository;

impl Repository {
    /// Returns a cache folder for this repository, shared by all its linked worktrees, and creates it if necessary. Its path is
    /// `firstbad/<kind>/<name of the repository>` in the cache folder (`$XDG_CACHE_HOME`, `~/.cache`, or else a temporary
    /// folder).
    ///
    /// # Errors
    /// [`Error::Io`] if the folder cannot be created.
    pub fn cache_folder(&self, kind: &str) -> Result<PathBuf, Error> {
        made(folder(Some(self))?.join(kind).join(name(self)))
    }
}

/// Returns a cache folder for the folder `about`, which need not be in a repository, and creates it if necessary. See
/// [`Repository::cache_folder`].
///
/// # Errors
/// [`Error::Io`] if the folder cannot be created, or if `about` does not exist.
pub fn cache_folder(kind: &str, about: &Path) -> Result<PathBuf, Error> {
    let about = files::real_path(about).map_err(|error| git::io(format!("finding {}", about.display()), &error))?;
    made(folder(None)?.join(kind).join(name_of(&about)))
}

fn made(folder: PathBuf) -> Result<PathBuf, Error> {
    make(&folder).map_err(|error| making(&folder, &error))?;
    Ok(folder)
}

/// Returns the folder for everything that firstbad keeps, and creates it if necessary.
///
/// The folder is `$XDG_CACHE_HOME/firstbad` or `~/.cache/firstbad`. If neither is writable, or if it is inside the user's
/// worktree, it is a private temporary folder.
pub fn folder(repository: Option<&Repository>) -> Result<PathBuf, Error> {
    if let Some(folder) = folders::cache().map(|cache| cache.join("firstbad"))
        && !repository.is_some_and(|repository| is_inside(&folder, repository))
        && make(&folder).is_ok()
        && is_ours(&folder)
    {
        return Ok(folder);
    }
    temporary("firstbad", "XDG_CACHE_HOME")
}

/// Returns the user's own temporary folder with this name, and creates it if necessary. The environment variable `variable`
/// selects another folder.
///
/// # Errors
/// [`Error::Io`] if the folder cannot be created or is not private. Any user can create a folder there in advance, and firstbad
/// would run commands in it.
pub fn temporary(name: &str, variable: &str) -> Result<PathBuf, Error> {
    let folder = folders::temporary(name);
    make(&folder).map_err(|error| making(&folder, &error))?;
    let is_closed = std::fs::symlink_metadata(&folder).is_ok_and(|found| !folders::is_open_to_others(&found));
    if is_ours(&folder) && is_closed {
        return Ok(folder);
    }
    let message = format!(
        "it belongs to another user, or other users can write to it\nhelp: set {variable} to your \
                           own folder"
    );
    Err(Error::Io { action: format!("using the folder {}", folder.display()), message })
}

/// Creates a folder and its missing parents for the owner alone.
pub fn make(folder: &Path) -> io::Result<()> {
    folders::make_private(folder)
}

fn is_ours(folder: &Path) -> bool {
    std::fs::symlink_metadata(folder)
        .is_ok_and(|found| found.is_dir() && folders::is_ours(&found) && !found.permissions().readonly())
}

/// Returns whether a folder, which need not exist, is inside the worktree or Git directory of the repository.
pub fn is_inside(folder: &Path, repository: &Repository) -> bool {
    let real = folder.ancestors().find_map(|above| {
        let rest = folder.strip_prefix(above).ok()?;
        Some(files::real_path(above).ok()?.join(rest))
    });
    real.is_some_and(|real| real.starts_with(repository.path()) || real.starts_with(repository.common_dir()))
}

/// Returns a name for a repository that is the same in all its linked worktrees.
pub fn name(repository: &Repository) -> String {
    name_of(repository.common_dir())
}

/// Returns a name for a folder, which is a hash of its path.
#[must_use]
pub fn name_of(folder: &Path) -> String {
    let mut hasher = SipHasher13::new();
    hasher.write(folder.as_os_str().as_encoded_bytes());
    format!("{:016x}", hasher.finish())
}

/// Returns the absolute path of a folder.
pub fn absolute(folder: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(folder).map_err(|error| making(folder, &error))
}

/// Returns the error for a folder that cannot be created.
pub fn making(folder: &Path, error: &io::Error) -> Error {
    git::io(format!("making the folder {}", folder.display()), error)
}
