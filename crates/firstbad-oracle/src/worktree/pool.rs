//! A pool of worktrees for parallel runs, in a private folder.

use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use firstbad::Error;
use firstbad_git::{OwnFolder, git};
use firstbad_platform::leftovers::stale;

use super::work_tree::WorkTree;

/// The folder, and the free worktrees.
#[derive(Debug)]
pub(crate) struct Pool {
    folder: OwnFolder,
    /// The number of free worktrees whose builds are kept for their revisions.
    kept: usize,
    state: Mutex<State>,
    given: Condvar,
}

#[derive(Debug, Default)]
struct State {
    free: Vec<WorkTree>,
    made: u32,
    /// The revisions of worktrees that are being prepared.
    coming: Vec<String>,
    /// The number of runs that wait for one of them.
    waiting: usize,
}

/// The interval between calls of `keep_going` while a run waits.
const GLANCE: Duration = Duration::from_millis(50);

impl State {
    /// Returns the index of the most recently used free worktree with this revision.
    fn place(&self, revision: &str) -> Option<usize> {
        self.free.iter().rposition(|work_tree| work_tree.revision.as_deref() == Some(revision))
    }

    /// Returns the index of the free worktree that is easiest to change, preferably one that needs no cleaning.
    fn easiest(&self) -> Option<usize> {
        let untouched = self.free.iter().rposition(|work_tree| work_tree.untouched);
        untouched.or(self.free.len().checked_sub(1))
    }

    /// Returns the index of a free worktree without a build, or of the least recently used one if more than `kept` have builds.
    fn beyond(&self, kept: usize) -> Option<usize> {
        let is_built = |work_tree: &WorkTree| work_tree.built.is_some();
        let empty = self.free.iter().rposition(|work_tree| !is_built(work_tree));
        empty.or_else(|| (self.free.len() >= kept).then_some(0).filter(|_| !self.free.is_empty()))
    }

    fn is_coming(&self, revision: &str) -> bool {
        self.coming.iter().any(|coming| coming == revision)
    }
}

/// The maximum number of worktrees to compare with a revision, most recently used first. Each comparison takes Git some
/// milliseconds, and a build takes a second or more.
const COMPARED: usize = 8;

impl Pool {
    /// Creates a pool in `above`, and removes the pools of processes that were killed. `marker` is in the environment of all
    /// commands that run in the worktrees.
    pub(crate) fn open(above: &Path, marker: &str) -> Result<Pool, Error> {
        let folder = OwnFolder::open(above)?;
        stale::mark(folder.path(), marker)
            .map_err(|error| git::io(format!("creating a pool in {}", above.display()), &error))?;
        Ok(Pool { folder, kept: 0, state: Mutex::default(), given: Condvar::new() })
    }

    /// Keeps the builds of this number of free worktrees, the most recently used ones.
    pub(crate) fn keep(&mut self, builds: usize) {
        self.kept = builds;
    }

    pub(crate) fn keeps_builds(&self) -> bool {
        self.kept > 0
    }

    /// Returns whether a free worktree has a build of this revision.
    pub(crate) fn has_build(&self, revision: &str) -> bool {
        self.state().free.iter().any(|work_tree| work_tree.built.as_deref() == Some(revision))
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    // No code panics while it holds the lock, so a poisoned lock is valid.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a worktree for a run. Prefers one that already contains `revision`, then the one for which `files` returns the
    /// fewest changed files, then the one that is easiest to change.
    ///
    /// If a worktree for `revision` is being prepared, or if no worktree is free, waits for it while `keep_going` returns true,
    /// because changing a worktree is faster than creating one.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if `keep_going` returns false.
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
                let best = match self.kept {
                    0 => held.or_else(|| state.place(nearest.as_ref()?)).or_else(|| state.easiest()),
                    kept => held.or_else(|| state.beyond(kept)),
                };
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

    /// Returns whether there are no worktrees yet.
    pub(crate) fn is_unused(&self) -> bool {
        self.state().made == 0
    }

    /// Takes a worktree to prepare for a revision, to be returned with [`Pool::came`]. Creates one only if there is none, or if
    /// `another` is set. Returns `None` if none is available, or if a worktree already contains or will contain the revision.
    pub(crate) fn begin(&self, revision: &str, another: bool) -> Option<WorkTree> {
        let mut state = self.state();
        let is_there = state.place(revision).is_some() || state.is_coming(revision);
        if is_there || state.free.is_empty() && state.made > 0 && !another {
            return None;
        }
        state.coming.push(revision.to_owned());
        // The most recently used worktree is cleaned during the preparation.
        let free = state.free.pop();
        Some(free.unwrap_or_else(|| self.another(&mut state)))
    }

    /// Returns a worktree to the pool after its preparation, which may have failed.
    pub(crate) fn came(&self, work_tree: WorkTree, revision: &str) {
        self.state().coming.retain(|coming| coming != revision);
        self.give(work_tree);
    }

    fn another(&self, state: &mut State) -> WorkTree {
        state.made += 1;
        WorkTree::new(self.folder.path().join(format!("tree-{}", state.made)))
    }

    /// Returns the revision of the worktree to take, or `None` if unknown. Counts files without the lock, so another run can take
    /// the worktree in the meantime.
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

    /// Returns a worktree to the pool.
    pub(crate) fn give(&self, work_tree: WorkTree) {
        self.state().free.push(work_tree);
        self.given.notify_all();
    }

    /// Removes all worktrees. After `patience`, the removal continues in the background. A second call does nothing.
    pub(crate) fn remove(&self, patience: Duration) -> Result<(), Error> {
        self.state().free.clear();
        self.folder.remove_within(patience)
    }
}
