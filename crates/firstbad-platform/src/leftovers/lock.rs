//! Locks of folders: whoever can take the lock of one knows that no process uses it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use crate::files;

/// Where the lock of a folder is: beside it, so that it outlives the folder's removal.
pub fn path(folder: &Path) -> PathBuf {
    folder.with_extension("lock")
}

/// The lock at `path`, made if need be; `None` if somebody holds it.
pub fn take(path: &Path) -> std::io::Result<Option<File>> {
    held(path, File::try_lock)
}

/// The same lock, held together with others who share it; `None` if somebody holds it alone.
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
    // It may have been removed between the two; then the lock is one on nothing.
    Ok(files::leads_to(path, &file).then_some(file))
}
