//! Work trees for as many runs as there are at once, in a folder that nobody else uses.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use firstbad::Error;

use super::work_tree::WorkTree;
use super::{lock, stale, tree};
use crate::{cache, git};

/// The pools of this process, so that each gets a name of its own.
static POOLS: AtomicU32 = AtomicU32::new(0);

/// The folder, its lock and the free work trees.
#[derive(Debug)]
pub(super) struct Pool {
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    free: Vec<WorkTree>,
    made: u32,
    /// Held as long as the pool is in use: whoever can take it knows that our process is gone.
    lock: Option<File>,
}

impl Pool {
    /// A new pool in `above`, after removing those there whose process was killed.
    ///
    /// `marker` is what all commands have in their environment that run in its work trees.
    pub(super) fn open(above: &Path, marker: &str) -> Result<Pool, Error> {
        let failed = |error: &std::io::Error| git::io(format!("making a pool in {}", above.display()), error);
        cache::make(above).map_err(|error| failed(&error))?;
        stale::sweep(above);
        loop {
            let folder = above.join(format!("{}-{}", std::process::id(), POOLS.fetch_add(1, Ordering::Relaxed)));
            // The lock comes before the folder, so that the folder is never without it.
            let Some(lock) = lock::take(&lock::path(&folder)).map_err(|error| failed(&error))? else { continue };
            match std::fs::create_dir(&folder) {
                Ok(()) => {}
                // Another machine's, on a shared disk, or in another container.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(failed(&error)),
            }
            stale::mark(&folder, marker).map_err(|error| failed(&error))?;
            let state = State { free: Vec::new(), made: 0, lock: Some(lock) };
            return Ok(Pool { folder, state: Mutex::new(state) });
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    // Nothing can panic while the lock is held, so a poisoned one is as good.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A work tree that nobody uses; best the one that holds `revision` already, else the one used last.
    pub(super) fn take(&self, revision: &str) -> WorkTree {
        let mut state = self.state();
        let same = state.free.iter().position(|work_tree| work_tree.revision.as_deref() == Some(revision));
        if let Some(work_tree) = same.map(|place| state.free.remove(place)).or_else(|| state.free.pop()) {
            return work_tree;
        }
        state.made += 1;
        WorkTree::new(self.folder.join(format!("tree-{}", state.made)))
    }

    /// Takes a work tree back.
    pub(super) fn give(&self, work_tree: WorkTree) {
        self.state().free.push(work_tree);
    }

    /// Removes all work trees. Has no effect the second time.
    pub(super) fn remove(&self) -> Result<(), Error> {
        let mut state = self.state();
        if state.lock.is_none() {
            return Ok(());
        }
        state.free.clear();
        tree::remove(&self.folder)
            .and_then(|()| match std::fs::remove_file(lock::path(&self.folder)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            })
            .map_err(|error| git::io(format!("removing the work trees in {}", self.folder.display()), &error))?;
        state.lock = None;
        Ok(())
    }
}
