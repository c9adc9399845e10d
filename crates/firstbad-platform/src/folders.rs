//! Where a user's programs keep what they make, and folders that are the user's alone.

use std::fs::{Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
mod unix;
mod variables;
#[cfg(windows)]
mod windows;

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

/// Makes a folder, and those above it, that only its owner may enter. On Windows it has the rights of the folder above it:
/// in a user's profile these keep out everybody but administrators.
///
/// # Errors
/// Those of the system.
pub fn make_private(folder: &Path) -> io::Result<()> {
    system::make_private(folder)
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
