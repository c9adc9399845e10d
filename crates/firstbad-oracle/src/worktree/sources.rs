//! Sources of submodule commits: repositories of the user, and fetched repositories.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use firstbad::Error;
use firstbad_git::{Repository, Template};
use firstbad_platform::files;

use crate::process::control::ActiveRun;

/// The interval between calls of `keep_going` while a run waits for another download.
const TURN_INTERVAL: Duration = Duration::from_millis(20);

/// The sources of submodule commits.
#[derive(Debug)]
pub(crate) struct Sources {
    /// The folder with one repository per fetched URL, shared by all worktrees.
    pub(crate) fetched: PathBuf,
    /// Allows one download at a time, so nothing is downloaded twice.
    fetching: Mutex<()>,
    /// The repositories to borrow from, each read once.
    templates: Mutex<HashMap<PathBuf, Arc<(Repository, Template)>>>,
}

impl Sources {
    /// Creates the sources without reading anything. The folder `fetched` is created by the first download.
    pub(crate) fn new(fetched: PathBuf) -> Sources {
        Sources { fetched, fetching: Mutex::default(), templates: Mutex::default() }
    }

    pub(crate) fn templates(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<(Repository, Template)>>> {
        self.templates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the repository with this Git directory and the template for its worktrees, or `None` if it is not a repository.
    pub(crate) fn template(&self, git_dir: &Path) -> Option<Arc<(Repository, Template)>> {
        if let Some(known) = self.templates().get(git_dir) {
            return Some(known.clone());
        }
        let repository = Repository::open(git_dir).ok()?;
        // The folder may be inside another repository.
        if repository.common_dir() != files::real_path(git_dir).ok()? {
            return None;
        }
        let template = Template::of(&repository).ok()?;
        let made = Arc::new((repository, template));
        self.templates().insert(git_dir.to_owned(), made.clone());
        Some(made)
    }

    /// Waits for its turn to download.
    pub(crate) fn turn(
        &self,
        active: &ActiveRun<'_>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<MutexGuard<'_, ()>, Error> {
        loop {
            match self.fetching.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if active.stopped() || !keep_going() => {
                    return Err(Error::Interrupted);
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(TURN_INTERVAL),
            }
        }
    }
}
