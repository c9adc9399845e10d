//! Environments on disk. Each is a folder with a lock file and a file that marks the environment as ready.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use firstbad_platform::leftovers::lock;
use firstbad_platform::trees;

/// The maximum number of environments of a repository. A search of 10,000 commits tests about 14 of them, each possibly with
/// different lock files.
pub(crate) const MOST: usize = 16;

/// The extension of the file that marks an environment as ready. Its modification time is the last use.
const READY: &str = "ready";

/// An environment in use, which no process removes.
#[derive(Debug)]
pub(crate) struct InUse {
    folder: PathBuf,
    _lock: File,
}

impl InUse {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The state of an environment.
#[derive(Debug)]
pub(crate) enum Found {
    Ready(InUse),
    /// The environment does not exist, and this process must create it.
    Missing(Making),
    /// Another process is creating or removing the environment.
    Busy,
}

/// Looks for the environment `key` in `above`.
///
/// # Errors
/// Errors of the system.
pub(crate) fn look(above: &Path, key: &str) -> io::Result<Found> {
    let folder = above.join(key);
    let path = lock::path(&folder);
    match lock::share(&path)? {
        Some(lock) if is_ready(&folder) => return Ok(Found::Ready(used(folder, lock))),
        Some(_) => {}
        None => return Ok(Found::Busy),
    }
    // A process that was killed no longer holds its lock.
    let Some(lock) = lock::take(&path)? else { return Ok(Found::Busy) };
    let making = Making { folder, lock: Some(lock) };
    if is_ready(&making.folder) {
        // Another process has created the environment in the meantime.
        return Ok(making.share()?.map_or(Found::Busy, Found::Ready));
    }
    trees::remove(&making.folder)?;
    std::fs::create_dir(&making.folder)?;
    Ok(Found::Missing(making))
}

fn is_ready(folder: &Path) -> bool {
    folder.is_dir() && folder.with_extension(READY).is_file()
}

fn used(folder: PathBuf, lock: File) -> InUse {
    // The time only affects which environment is removed first.
    let _ =
        File::options().write(true).open(folder.with_extension(READY)).map(|file| file.set_modified(SystemTime::now()));
    InUse { folder, _lock: lock }
}

/// An environment that this process is creating. Dropping it without `end` removes the folder.
#[derive(Debug)]
pub(crate) struct Making {
    folder: PathBuf,
    lock: Option<File>,
}

impl Making {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the lock file as input for the command. If this process is killed, the command's processes hold the lock until
    /// they end, so no other process starts in the same folder.
    pub(crate) fn input(&self) -> io::Result<File> {
        self.lock.as_ref().ok_or(io::ErrorKind::NotFound)?.try_clone()
    }

    /// Marks the environment as ready and removes old environments. Returns `None` if another process took the environment
    /// immediately.
    pub(crate) fn end(self, words: &str) -> io::Result<Option<InUse>> {
        let (ready, new) = (self.folder.with_extension(READY), self.folder.with_extension("new"));
        trees::fresh(&new)?.write_all(words.as_bytes())?;
        std::fs::rename(&new, &ready)?;
        let above = self.folder.parent().map(Path::to_owned);
        let shared = self.share()?;
        if let Some(above) = above.filter(|_| shared.is_some()) {
            remove_unused(&above);
        }
        Ok(shared)
    }

    /// Replaces the exclusive lock with a shared lock.
    fn share(mut self) -> io::Result<Option<InUse>> {
        let folder = self.folder.clone();
        let Some(lock) = self.lock.take() else { return Ok(None) };
        // The system may release the exclusive lock first.
        let shared = lock.try_lock_shared().is_ok() && is_ready(&folder);
        Ok(shared.then(|| used(folder, lock)))
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        let Some(lock) = self.lock.take() else { return };
        // A drop cannot report errors. The next process that needs this environment removes remaining files.
        let _ = trees::remove(&self.folder);
        let _ = std::fs::remove_file(lock::path(&self.folder));
        // Remaining processes of the command, and forks of this process, also have the file open.
        let _ = lock.unlock();
    }
}

/// Removes incomplete environments and the least recently used ones beyond [`MOST`]. Skips environments in use. The next call
/// tries failed removals again.
fn remove_unused(above: &Path) {
    let mut ready: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(above).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            match std::fs::metadata(path.with_extension(READY)).and_then(|found| found.modified()) {
                Ok(used) => ready.push((used, path)),
                Err(_) => remove_if(&path, |folder| !is_ready(folder)),
            }
        }
    }
    ready.sort_unstable();
    let unused = ready.len().saturating_sub(MOST);
    for (_, folder) in ready.into_iter().take(unused) {
        remove_if(&folder, |_| true);
    }
}

/// Removes an environment if no process uses it and `holds` is still true.
fn remove_if(folder: &Path, holds: impl Fn(&Path) -> bool) {
    let path = lock::path(folder);
    let Ok(Some(_held)) = lock::take(&path) else { return };
    if !holds(folder) {
        return;
    }
    // The ready file goes first, because an incomplete environment must not be used.
    let unsaid = match std::fs::remove_file(folder.with_extension(READY)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    if unsaid.and_then(|()| trees::remove(folder)).is_ok() {
        let _ = std::fs::remove_file(path);
    }
}
