//! Locks of folders. A process that can take the lock of a folder knows that no other process uses the folder.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use crate::files;

/// Returns the path of a folder's lock. The lock is next to the folder, so that it outlives the folder.
pub fn path(folder: &Path) -> PathBuf {
    folder.with_extension("lock")
}

/// Takes the lock at `path`, and creates the file if necessary. Returns `None` if another process holds the lock.
pub fn take(path: &Path) -> std::io::Result<Option<File>> {
    held(path, File::try_lock)
}

/// Shares the lock at `path` with other holders. Returns `None` if another process holds the lock exclusively.
pub fn share(path: &Path) -> std::io::Result<Option<File>> {
    held(path, File::try_lock_shared)
}

fn held(path: &Path, lock: fn(&File) -> Result<(), TryLockError>) -> std::io::Result<Option<File>> {
    let file = File::options().create(true).truncate(false).read(true).write(true).open(path)?;
    match lock(&file) {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // The file may have been removed before it was locked. Such a lock protects nothing.
    Ok(files::leads_to(path, &file).then_some(file))
}
