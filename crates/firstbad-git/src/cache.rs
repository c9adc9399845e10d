//! Where we keep things: pools of work trees and the output of commands.

use std::hash::Hasher as _;
use std::io;
use std::path::{Path, PathBuf};

use firstbad::Error;
use firstbad_platform::{files, folders};
use siphasher::sip::SipHasher13;

use crate::git;
use crate::repository::Repository;

impl Repository {
    /// A folder for what somebody keeps about this repository, the same in all its linked work trees, made if need be:
    /// `firstbad/<kind>/<a name for the repository>` in the cache folder (`$XDG_CACHE_HOME`, `~/.cache`, or else the
    /// folder for temporary files).
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be made.
    pub fn cache_folder(&self, kind: &str) -> Result<PathBuf, Error> {
        made(folder(Some(self))?.join(kind).join(name(self)))
    }
}

/// A folder for what somebody keeps about what lies in a folder that is in no repository, made if need be: as
/// [`Repository::cache_folder`], with a name for that folder.
///
/// # Errors
/// [`Error::Io`] if it cannot be made, or if there is no folder `about`.
pub fn cache_folder(kind: &str, about: &Path) -> Result<PathBuf, Error> {
    let about = files::real_path(about).map_err(|error| git::io(format!("finding {}", about.display()), &error))?;
    made(folder(None)?.join(kind).join(name_of(&about)))
}

fn made(folder: PathBuf) -> Result<PathBuf, Error> {
    make(&folder).map_err(|error| making(&folder, &error))?;
    Ok(folder)
}

/// The folder for everything that firstbad keeps, made if it is not there: `$XDG_CACHE_HOME/firstbad`, `~/.cache/firstbad`, or a
/// private folder among the temporary files where these cannot be written or lie inside the work tree of the user's repository.
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

/// The user's own folder of this name among the temporary files, made if it is not there. `variable` chooses another
/// place.
///
/// # Errors
/// [`Error::Io`] if it cannot be made, or is not the user's alone: anybody may make a folder there, and wait for us to run
/// commands in it.
pub fn temporary(name: &str, variable: &str) -> Result<PathBuf, Error> {
    let folder = folders::temporary(name);
    make(&folder).map_err(|error| making(&folder, &error))?;
    let is_closed = std::fs::symlink_metadata(&folder).is_ok_and(|found| !folders::is_open_to_others(&found));
    if is_ours(&folder) && is_closed {
        return Ok(folder);
    }
    let message = format!("it belongs to somebody else, or others may enter it; set {variable} to a folder of yours");
    Err(Error::Io { action: format!("using the folder {}", folder.display()), message })
}

/// Makes a folder, and those above it, that only its owner may enter.
pub fn make(folder: &Path) -> io::Result<()> {
    folders::make_private(folder)
}

fn is_ours(folder: &Path) -> bool {
    std::fs::symlink_metadata(folder)
        .is_ok_and(|found| found.is_dir() && folders::is_ours(&found) && !found.permissions().readonly())
}

/// Whether a folder, existing or not, lies inside the repository's own work tree or git folder.
pub fn is_inside(folder: &Path, repository: &Repository) -> bool {
    let real = folder.ancestors().find_map(|above| {
        let rest = folder.strip_prefix(above).ok()?;
        Some(files::real_path(above).ok()?.join(rest))
    });
    real.is_some_and(|real| real.starts_with(repository.path()) || real.starts_with(repository.common_dir()))
}

/// A name for a repository that is the same in all its linked work trees.
pub fn name(repository: &Repository) -> String {
    name_of(repository.common_dir())
}

/// A name for a folder.
#[must_use]
pub fn name_of(folder: &Path) -> String {
    let mut hasher = SipHasher13::new();
    hasher.write(folder.as_os_str().as_encoded_bytes());
    format!("{:016x}", hasher.finish())
}

/// The absolute path of a folder that the caller named.
pub fn absolute(folder: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(folder).map_err(|error| making(folder, &error))
}

/// The error for a folder that cannot be made.
pub fn making(folder: &Path, error: &io::Error) -> Error {
    git::io(format!("making the folder {}", folder.display()), error)
}
