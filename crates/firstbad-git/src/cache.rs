//! Where we keep things: pools of work trees and the output of commands.

use std::hash::Hasher as _;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use firstbad::Error;
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
        let folder = folder(self)?.join(kind).join(name(self));
        make(&folder).map_err(|error| making(&folder, &error))?;
        Ok(folder)
    }
}

/// The folder for everything that firstbad keeps, made if it is not there: `$XDG_CACHE_HOME/firstbad`, `~/.cache/firstbad`, or a
/// private folder among the temporary files where these cannot be written or lie inside the user's work tree.
pub(crate) fn folder(repository: &Repository) -> Result<PathBuf, Error> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    if let Some(folder) = cache.map(|cache| cache.join("firstbad"))
        && !is_inside(&folder, repository)
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
pub(crate) fn temporary(name: &str, variable: &str) -> Result<PathBuf, Error> {
    let user = rustix::process::geteuid().as_raw();
    let folder = std::env::temp_dir().join(format!("{name}-{user}"));
    make(&folder).map_err(|error| making(&folder, &error))?;
    let private = is_ours(&folder) && std::fs::symlink_metadata(&folder).is_ok_and(|found| found.mode() & 0o077 == 0);
    if private {
        return Ok(folder);
    }
    let message = format!("it belongs to somebody else, or others may enter it; set {variable} to a folder of yours");
    Err(Error::Io { action: format!("using the folder {}", folder.display()), message })
}

/// Makes a folder, and those above it, that only its owner may enter.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn is_ours(folder: &Path) -> bool {
    std::fs::symlink_metadata(folder).is_ok_and(|found| {
        found.is_dir() && found.uid() == rustix::process::geteuid().as_raw() && !found.permissions().readonly()
    })
}

/// Whether a folder, existing or not, lies inside the repository's own work tree or git folder.
pub(crate) fn is_inside(folder: &Path, repository: &Repository) -> bool {
    let real = folder.ancestors().find_map(|above| {
        let rest = folder.strip_prefix(above).ok()?;
        Some(above.canonicalize().ok()?.join(rest))
    });
    real.is_some_and(|real| real.starts_with(repository.path()) || real.starts_with(repository.common_dir()))
}

/// A name for a repository that is the same in all its linked work trees.
pub(crate) fn name(repository: &Repository) -> String {
    let mut hasher = SipHasher13::new();
    hasher.write(repository.common_dir().as_os_str().as_encoded_bytes());
    format!("{:016x}", hasher.finish())
}

/// The absolute path of a folder that the caller named.
pub(crate) fn absolute(folder: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(folder).map_err(|error| making(folder, &error))
}

/// The error for a folder that cannot be made.
pub(crate) fn making(folder: &Path, error: &io::Error) -> Error {
    git::io(format!("making the folder {}", folder.display()), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_made_for_their_owner_alone() {
        let above = std::env::temp_dir().join(format!("firstbad-cache-test-{}", std::process::id()));
        let folder = above.join("firstbad");
        make(&folder).unwrap();
        let modes = [&above, &folder].map(|made| std::fs::metadata(made).unwrap().mode() & 0o777);
        std::fs::remove_dir_all(&above).unwrap();
        assert_eq!(modes, [0o700, 0o700]);
    }
}
