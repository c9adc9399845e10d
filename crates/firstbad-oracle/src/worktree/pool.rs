//! Work trees for as many runs as there are at once, in a folder that nobody else uses.

use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use firstbad::Error;
use firstbad_git::{OwnFolder, git};
use firstbad_platform::leftovers::stale;

use super::work_tree::WorkTree;

/// The folder and the free work trees.
#[derive(Debug)]
pub(crate) struct Pool {
    folder: OwnFolder,
    state: Mutex<State>,
    given: Condvar,
}

#[derive(Debug, Default)]
struct State {
    free: Vec<WorkTree>,
    made: u32,
    /// What those will hold that are made ready ahead of time.
    coming: Vec<String>,
    /// How many runs wait for one of these.
    waiting: usize,
}

/// How often a run that waits looks whether it is to go on.
const GLANCE: Duration = Duration::from_millis(50);

impl State {
    /// Where the free work tree is that holds a revision, the one used last if there are several.
    fn place(&self, revision: &str) -> Option<usize> {
        self.free.iter().rposition(|work_tree| work_tree.revision.as_deref() == Some(revision))
    }

    /// Where the free work tree is that is changed with the least effort: one that nothing was run in need not be cleaned.
    fn easiest(&self) -> Option<usize> {
        let untouched = self.free.iter().rposition(|work_tree| work_tree.untouched);
        untouched.or(self.free.len().checked_sub(1))
    }

    fn is_coming(&self, revision: &str) -> bool {
        self.coming.iter().any(|coming| coming == revision)
    }
}

/// The most work trees, those used last, whose files are compared with those of a revision: each takes git some
/// milliseconds, and the run that waits for it a second or more.
const COMPARED: usize = 8;

impl Pool {
    /// A new pool in `above`, after removing those there whose process was killed.
    ///
    /// `marker` is what all commands have in their environment that run in its work trees.
    pub(crate) fn open(above: &Path, marker: &str) -> Result<Pool, Error> {
        let folder = OwnFolder::open(above)?;
        stale::mark(folder.path(), marker)
            .map_err(|error| git::io(format!("making a pool in {}", above.display()), &error))?;
        Ok(Pool { folder, state: Mutex::default(), given: Condvar::new() })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    // Nothing can panic while the lock is held, so a poisoned one is as good.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A work tree that nobody uses: best the one that holds `revision` already, else the one that holds a revision for which
    /// `files` says the least, which is how many files change from there, else the one that is changed most easily. One that is made
    /// ready ahead of time is waited for, as long as `keep_going` says so, where it will hold `revision`, and where none is free:
    /// to change it takes less than to make another.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn take(
        &self,
        revision: &str,
        files: impl Fn(&str) -> Option<usize>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<WorkTree, Error> {
        let nearest = self.nearest(revision, files);
        let mut state = self.state();
        loop {
            let held = state.place(revision);
            if held.is_some() || !state.is_coming(revision) {
                let best = held.or_else(|| state.place(nearest.as_ref()?)).or_else(|| state.easiest());
                if let Some(place) = best {
                    return Ok(state.free.remove(place));
                }
                if state.coming.len() <= state.waiting {
                    return Ok(self.another(&mut state));
                }
            }
            state.waiting += 1;
            state = self.given.wait_timeout(state, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
            state.waiting -= 1;
            drop(state);
            if !keep_going() {
                return Err(Error::Interrupted);
            }
            state = self.state();
        }
    }

    /// Whether there are no work trees yet.
    pub(crate) fn is_unused(&self) -> bool {
        self.state().made == 0
    }

    /// A work tree to be made ready ahead of time for a revision, and then given back with [`Pool::came`]: a free one, or else a
    /// new one, as long as there are no others or where there may be `another`. `None` if there is none to be had, or one holds it
    /// already or will soon.
    pub(crate) fn begin(&self, revision: &str, another: bool) -> Option<WorkTree> {
        let mut state = self.state();
        let is_there = state.place(revision).is_some() || state.is_coming(revision);
        if is_there || state.free.is_empty() && state.made > 0 && !another {
            return None;
        }
        state.coming.push(revision.to_owned());
        // The one that was used last is cleaned meanwhile.
        let free = state.free.pop();
        Some(free.unwrap_or_else(|| self.another(&mut state)))
    }

    /// Takes a work tree that was made ready ahead of time for a revision, or was to be.
    pub(crate) fn came(&self, work_tree: WorkTree, revision: &str) {
        self.state().coming.retain(|coming| coming != revision);
        self.give(work_tree);
    }

    fn another(&self, state: &mut State) -> WorkTree {
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
    pub(crate) fn give(&self, work_tree: WorkTree) {
        self.state().free.push(work_tree);
        self.given.notify_all();
    }

    /// Removes all work trees; what takes longer goes on by itself. Has no effect the second time.
    pub(crate) fn remove(&self, patience: Duration) -> Result<(), Error> {
        self.state().free.clear();
        self.folder.remove_within(patience)
    }
}
