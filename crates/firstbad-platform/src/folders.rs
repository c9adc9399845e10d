//! The folders of the user, and private folders.

use std::fs::{Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
mod unix;
mod variables;
#[cfg(windows)]
mod windows;

use crate::files;
#[cfg(unix)]
use unix as system;
use variables::absolute;
#[cfg(windows)]
use windows as system;

/// Returns the folder for caches: `$XDG_CACHE_HOME` or else `~/.cache`, and on Windows `%LOCALAPPDATA%`. Returns `None` if none
/// of these variables is an absolute path.
#[must_use]
pub fn cache() -> Option<PathBuf> {
    absolute("XDG_CACHE_HOME").or_else(system::cache)
}

/// Returns the folder for program state: `$XDG_STATE_HOME` or else `~/.local/state`, and on Windows `%LOCALAPPDATA%`. Returns
/// `None` if none of these variables is an absolute path.
#[must_use]
pub fn state() -> Option<PathBuf> {
    absolute("XDG_STATE_HOME").or_else(system::state)
}

/// Returns the path of a per-user folder inside the temporary folder, which all users may share.
#[must_use]
pub fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(system::of_this_user(name))
}

/// Creates a folder and its missing parents for the owner alone. On Windows, the folder inherits the rights of its parent. In a
/// user's profile, these exclude everyone except administrators.
///
/// # Errors
/// If the system cannot create a folder.
pub fn make_private(folder: &Path) -> io::Result<()> {
    make_each(folder, system::make_private)
}

/// Creates a folder and its missing parents, and waits until they are on the disk. Existing parents are also synced, because
/// their creator may not have done it.
///
/// # Errors
/// If the system cannot create or sync a folder.
pub fn make_lasting(folder: &Path) -> io::Result<()> {
    make_each(folder, |folder| std::fs::create_dir(folder))?;
    let here = |above| if above == Path::new("") { Path::new(".") } else { above };
    folder.ancestors().skip(1).try_for_each(|above| match files::sync_folder(here(above)) {
        // Some folders can be entered but not read, and some file systems cannot sync folders.
        Err(error) if [io::ErrorKind::PermissionDenied, io::ErrorKind::InvalidInput].contains(&error.kind()) => Ok(()),
        synced => synced,
    })
}

/// Creates the missing folders, outermost first.
fn make_each(folder: &Path, make: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|path| *path != Path::new("") && !path.is_dir()).collect();
    missing.into_iter().rev().try_for_each(|path| match make(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made,
    })
}

/// Creates the file for its owner alone. On Windows, the file inherits the rights of its folder.
pub fn owner_alone(options: &mut OpenOptions) -> &mut OpenOptions {
    system::owner_alone(options)
}

/// Returns whether the item belongs to the current user. Always `true` on Windows.
#[must_use]
pub fn is_ours(found: &Metadata) -> bool {
    system::is_ours(found)
}

/// Returns whether other users can read, write, or enter the item. Always `false` on Windows.
#[must_use]
pub fn is_open_to_others(found: &Metadata) -> bool {
    system::has_rights(found, 0o077)
}

/// Returns whether other users can write to the item. Always `false` on Windows.
#[must_use]
pub fn is_written_by_others(found: &Metadata) -> bool {
    system::has_rights(found, 0o022)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_folders_are_closed_to_others() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("a/b");
        make_private(&folder).unwrap();
        make_private(&folder).unwrap();
        make_lasting(&folder.join("c/d")).unwrap();
        make_lasting(&folder.join("c/d")).unwrap();
        assert!(folder.join("c/d").is_dir());
        std::fs::write(folder.join("file"), "").unwrap();
        for make in [make_lasting, make_private] {
            assert!(make(&folder.join("file")).is_err() && make(&folder.join("file/e")).is_err());
        }
        for folder in [above.path().join("a"), folder] {
            let found = std::fs::symlink_metadata(folder).unwrap();
            assert!(is_ours(&found) && !is_open_to_others(&found) && !is_written_by_others(&found));
        }
        let file = owner_alone(std::fs::File::options().write(true).create_new(true)).open(above.path().join("file"));
        assert!(!is_open_to_others(&file.unwrap().metadata().unwrap()));
    }

    #[test]
    fn each_user_has_folders() {
        assert!(temporary("firstbad").starts_with(std::env::temp_dir()));
        assert!([cache(), state()].into_iter().flatten().all(|folder| folder.is_absolute()));
    }
}
