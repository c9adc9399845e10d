//! Where a user's programs keep what they make, and folders that are the user's alone.

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

/// Where programs keep what can be made again: `$XDG_CACHE_HOME`, or else `~/.cache`, on Windows `%LOCALAPPDATA%`; `None`
/// where none of these is set to an absolute path.
#[must_use]
pub fn cache() -> Option<PathBuf> {
    absolute("XDG_CACHE_HOME").or_else(system::cache)
}

/// Where programs keep what they remember: `$XDG_STATE_HOME`, or else `~/.local/state`, on Windows `%LOCALAPPDATA%`; `None`
/// where none of these is set to an absolute path.
#[must_use]
pub fn state() -> Option<PathBuf> {
    absolute("XDG_STATE_HOME").or_else(system::state)
}

/// The name of the user's own folder among the temporary files, which may be everybody's.
#[must_use]
pub fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(system::of_this_user(name))
}

/// Makes a folder, and those above it, that only its owner may enter. On Windows it has the rights of the folder above it: in
/// a user's profile these keep out everybody but administrators.
///
/// # Errors
/// Those of the system.
pub fn make_private(folder: &Path) -> io::Result<()> {
    make_each(folder, system::make_private)
}

/// Makes a folder, and those above it; once it returns, a power cut takes none of them away. All their names are brought to
/// the disk, also of those that are there: who made them may not have come to that.
///
/// # Errors
/// Those of the system.
pub fn make_lasting(folder: &Path) -> io::Result<()> {
    make_each(folder, |folder| std::fs::create_dir(folder))?;
    let here = |above| if above == Path::new("") { Path::new(".") } else { above };
    folder.ancestors().skip(1).try_for_each(|above| match files::sync_folder(here(above)) {
        // Folders that may be entered and not be read, and file systems that know no such call.
        Err(error) if [io::ErrorKind::PermissionDenied, io::ErrorKind::InvalidInput].contains(&error.kind()) => Ok(()),
        synced => synced,
    })
}

/// Makes the folders that are not there, from the top.
fn make_each(folder: &Path, make: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|path| *path != Path::new("") && !path.is_dir()).collect();
    missing.into_iter().rev().try_for_each(|path| match make(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made,
    })
}

/// Has a file made that only its owner may read. On Windows it has the rights of its folder.
pub fn owner_alone(options: &mut OpenOptions) -> &mut OpenOptions {
    system::owner_alone(options)
}

/// Whether what was found belongs to this user. Windows does not tell: `true`.
#[must_use]
pub fn is_ours(found: &Metadata) -> bool {
    system::is_ours(found)
}

/// Whether others may read, write or enter what was found. Windows does not tell: `false`.
#[must_use]
pub fn is_open_to_others(found: &Metadata) -> bool {
    system::has_rights(found, 0o077)
}

/// Whether others may write to what was found. Windows does not tell: `false`.
#[must_use]
pub fn is_written_by_others(found: &Metadata) -> bool {
    system::has_rights(found, 0o022)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_made_for_their_owner_alone() {
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
    fn there_is_a_place_for_each_user() {
        assert!(temporary("firstbad").starts_with(std::env::temp_dir()));
        assert!([cache(), state()].into_iter().flatten().all(|folder| folder.is_absolute()));
    }
}
