//! Work trees for as many runs as there are at once, in a folder that nobody else uses.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use firstbad::Error;

use super::own_folder::OwnFolder;
use super::stale;
use super::work_tree::WorkTree;
use crate::git;

/// The folder and the free work trees.
#[derive(Debug)]
pub(super) struct Pool {
    folder: OwnFolder,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    free: Vec<WorkTree>,
    made: u32,
}

impl Pool {
    /// A new pool in `above`, after removing those there whose process was killed.
    ///
    /// `marker` is what all commands have in their environment that run in its work trees.
    pub(super) fn open(above: &Path, marker: &str) -> Result<Pool, Error> {
        let folder = OwnFolder::open(above)?;
        stale::mark(folder.path(), marker)
            .map_err(|error| git::io(format!("making a pool in {}", above.display()), &error))?;
        Ok(Pool { folder, state: Mutex::new(State { free: Vec::new(), made: 0 }) })
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
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
        WorkTree::new(self.folder.path().join(format!("tree-{}", state.made)))
    }

    /// Takes a work tree back.
    pub(super) fn give(&self, work_tree: WorkTree) {
        self.state().free.push(work_tree);
    }

    /// Removes all work trees. Has no effect the second time.
    pub(super) fn remove(&self) -> Result<(), Error> {
        self.state().free.clear();
        self.folder.remove()
    }
}
