//! A folder that nobody else uses, with a lock by which it is known whether its process still lives.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use firstbad::Error;

use crate::{cache, git};
use firstbad_platform::leftovers::{lock, removal, stale};

/// The folders of this process, so that each gets a name of its own.
static FOLDERS: AtomicU32 = AtomicU32::new(0);

/// A folder of this process alone, removed with all it holds when this is dropped.
#[derive(Debug)]
pub struct OwnFolder {
    path: PathBuf,
    /// The process that made it: a fork of it leaves it alone.
    process: u32,
    /// Held as long as the folder is in use: whoever can take it knows that our process is gone.
    lock: Mutex<Option<File>>,
}

impl OwnFolder {
    /// A new folder in `above`, after removing those there whose process was killed.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn open(above: &Path) -> Result<OwnFolder, Error> {
        let failed = |error: &std::io::Error| git::io(format!("making a folder in {}", above.display()), error);
        cache::make(above).map_err(|error| failed(&error))?;
        stale::sweep(above);
        let process = std::process::id();
        loop {
            let path = above.join(format!("{process}-{}", FOLDERS.fetch_add(1, Ordering::Relaxed)));
            // The lock comes before the folder, so that the folder is never without it.
            let Some(lock) = lock::take(&lock::path(&path)).map_err(|error| failed(&error))? else { continue };
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(OwnFolder { path, process, lock: Mutex::new(Some(lock)) }),
                // Another machine's, on a shared disk, or in another container.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&error)),
            }
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it, what takes long without being waited for. Has no effect the second time, or in a fork.
    ///
    /// # Errors
    /// [`Error::Io`]; the next one in the same place tries again.
    pub fn remove(&self) -> Result<(), Error> {
        self.remove_within(removal::PATIENCE)
    }

    /// As [`OwnFolder::remove`]; what takes longer than `patience` goes on by itself.
    ///
    /// # Errors
    /// Those of [`OwnFolder::remove`].
    pub fn remove_within(&self, patience: Duration) -> Result<(), Error> {
        // Nothing can panic while the lock is held, so a poisoned one is as good.
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if lock.is_none() || self.process != std::process::id() {
            return Ok(());
        }
        if let Some(held) = lock.as_ref() {
            removal::remove(&self.path, held, patience)
                .map_err(|error| git::io(format!("removing the folder {}", self.path.display()), &error))?;
        }
        *lock = None;
        Ok(())
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        // There is nobody to tell, and the next one in the same place removes what is left.
        let _ = self.remove();
    }
}
