//! A folder for one process. Its lock shows whether the process is still running.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use firstbad::Error;

use crate::{cache, git};
use firstbad_platform::leftovers::{lock, removal, stale};

/// Counts the folders of this process, to give each a unique name.
static FOLDERS: AtomicU32 = AtomicU32::new(0);

/// A folder for this process alone. The folder is removed with its contents when dropped.
#[derive(Debug)]
pub struct OwnFolder {
    path: PathBuf,
    /// The process that created the folder. A fork must not remove it.
    process: u32,
    /// Held while the folder is in use. If another process can take the lock, this process has ended.
    lock: Mutex<Option<File>>,
}

impl OwnFolder {
    /// Creates a new folder in `above`. Removes the folders of killed processes first.
    ///
    /// # Errors
    /// [`Error::Io`] if the folder cannot be created.
    pub fn open(above: &Path) -> Result<OwnFolder, Error> {
        let failed = |error: &std::io::Error| git::io(format!("making a folder in {}", above.display()), error);
        cache::make(above).map_err(|error| failed(&error))?;
        stale::sweep(above);
        let process = std::process::id();
        loop {
            let path = above.join(format!("{process}-{}", FOLDERS.fetch_add(1, Ordering::Relaxed)));
            // The lock is created first, so that the folder always has a lock.
            let Some(lock) = lock::take(&lock::path(&path)).map_err(|error| failed(&error))? else { continue };
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(OwnFolder { path, process, lock: Mutex::new(Some(lock)) }),
                // The folder of another machine on a shared disk, or of another container.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&error)),
            }
        }
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the folder. A slow removal continues in the background. Does nothing in a fork or if called again.
    ///
    /// # Errors
    /// [`Error::Io`] if the folder cannot be removed. The next process that uses the same parent folder tries again.
    pub fn remove(&self) -> Result<(), Error> {
        self.remove_within(removal::PATIENCE)
    }

    /// Removes the folder like [`OwnFolder::remove`]. If removal takes longer than `patience`, it continues in the background.
    ///
    /// # Errors
    /// See [`OwnFolder::remove`].
    pub fn remove_within(&self, patience: Duration) -> Result<(), Error> {
        // No code panics while the lock is held, so a poisoned lock is still valid.
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if lock.is_none() || self.process != std::process::id() {
            return Ok(());
        }
        if let Some(held) = lock.as_ref() {
            removal::remove(&self.path, held, patience)
                .map_err(|error| git::io(format!("cannot remove the folder {}", self.path.display()), &error))?;
        }
        *lock = None;
        Ok(())
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        // The error cannot be returned. The next process that uses the same parent folder tries again.
        let _ = self.remove();
    }
}
