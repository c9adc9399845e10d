//! The lock of a pool of work trees: whoever can take it knows that the pool's process is gone.

use std::fs::{File, TryLockError};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Where the lock of a pool is: beside it, so that it outlives the folder's removal.
pub(super) fn path(pool: &Path) -> PathBuf {
    pool.with_extension("lock")
}

/// The lock at `path`, made if need be; `None` if somebody holds it.
pub(super) fn take(path: &Path) -> std::io::Result<Option<File>> {
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // It may have been removed between the two; then the lock is one on nothing.
    let (held, now) = (file.metadata()?, std::fs::metadata(path));
    Ok(now.is_ok_and(|now| (now.dev(), now.ino()) == (held.dev(), held.ino())).then_some(file))
}
