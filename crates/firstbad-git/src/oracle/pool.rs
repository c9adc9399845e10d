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

impl State {
    /// Where the free work tree is that holds a revision, the one used last if there are several.
    fn place(&self, revision: &str) -> Option<usize> {
        self.free.iter().rposition(|work_tree| work_tree.revision.as_deref() == Some(revision))
    }
}

/// The most work trees, those used last, whose files are compared with those of a revision: each takes git some
/// milliseconds, and the run that waits for it a second or more.
const COMPARED: usize = 8;

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

    /// A work tree that nobody uses: best the one that holds `revision` already, else the one that holds a revision for which
    /// `files` says the least, which is how many files change from there, else the one used last.
    pub(super) fn take(&self, revision: &str, files: impl Fn(&str) -> Option<usize>) -> WorkTree {
        let nearest = self.nearest(revision, files);
        let mut state = self.state();
        let best = nearest.and_then(|held| state.place(&held)).or(state.free.len().checked_sub(1));
        if let Some(place) = best {
            return state.free.remove(place);
        }
        state.made += 1;
        WorkTree::new(self.folder.path().join(format!("tree-{}", state.made)))
    }

    /// The revision of the work tree to take; `None` if that is not known. Nobody has to wait while files are counted: another
    /// one may take the tree meanwhile.
    fn nearest(&self, revision: &str, files: impl Fn(&str) -> Option<usize>) -> Option<String> {
        let held: Vec<String> = self.state().free.iter().rev().filter_map(|tree| tree.revision.clone()).collect();
        if held.iter().any(|held| held == revision) {
            return Some(revision.to_owned());
        }
        if held.len() < 2 {
            return None;
        }
        let mut best: Option<(usize, String)> = None;
        for held in held.into_iter().take(COMPARED) {
            let files = files(&held)?;
            if best.as_ref().is_none_or(|(least, _)| files < *least) {
                best = Some((files, held));
            }
        }
        best.map(|(_, held)| held)
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
