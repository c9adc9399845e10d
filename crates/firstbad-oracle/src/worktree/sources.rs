//! Where the commits of submodules come from: repositories that the user has, or that were fetched.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use firstbad::Error;
use firstbad_git::{Repository, Template};
use firstbad_platform::files;

use crate::process::control::ActiveRun;

/// How often somebody who waits for another's download looks whether to go on.
const TURN_INTERVAL: Duration = Duration::from_millis(20);

/// Where submodules come from.
#[derive(Debug)]
pub(crate) struct Sources {
    /// A folder with a repository for each URL that something had to be fetched from, shared by all work trees.
    pub(crate) fetched: PathBuf,
    /// One download at a time: two of the same would be one too many.
    fetching: Mutex<()>,
    /// What the repositories that we borrow from hold, read once.
    templates: Mutex<HashMap<PathBuf, Arc<(Repository, Template)>>>,
}

impl Sources {
    /// Nothing is read before it is needed; `fetched` is made when something has to be fetched.
    pub(crate) fn new(fetched: PathBuf) -> Sources {
        Sources { fetched, fetching: Mutex::default(), templates: Mutex::default() }
    }

    pub(crate) fn templates(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<(Repository, Template)>>> {
        self.templates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The repository with this git folder and what a work tree of it starts from; `None` if it is not one.
    pub(crate) fn template(&self, git_dir: &Path) -> Option<Arc<(Repository, Template)>> {
        if let Some(known) = self.templates().get(git_dir) {
            return Some(known.clone());
        }
        let repository = Repository::open(git_dir).ok()?;
        // A folder that is none may lie in one.
        if repository.common_dir() != files::real_path(git_dir).ok()? {
            return None;
        }
        let template = Template::of(&repository).ok()?;
        let made = Arc::new((repository, template));
        self.templates().insert(git_dir.to_owned(), made.clone());
        Some(made)
    }

    /// Waits for its turn to fetch.
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
