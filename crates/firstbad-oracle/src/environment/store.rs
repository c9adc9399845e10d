//! The environments of a repository on the disk: each a folder, with a lock and a note that it is ready beside it.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use firstbad_platform::leftovers::lock;
use firstbad_platform::trees;

/// How many environments of a repository are kept. A search by halving visits some 14 of 10,000 commits, and each may have lock
/// files of its own: those of one search stay.
pub(crate) const MOST: usize = 16;

/// How the file ends whose presence says that an environment is ready. It is used last when it was written last.
const READY: &str = "ready";

/// An environment that is ready; nobody removes it as long as this lives.
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

/// What there is of an environment.
#[derive(Debug)]
pub(crate) enum Found {
    Ready(InUse),
    /// There is none, and we are to make it.
    Missing(Making),
    /// Somebody else is making it, or removes it.
    Busy,
}

/// Looks for the environment `key` in `above`.
///
/// # Errors
/// Those of the system.
pub(crate) fn look(above: &Path, key: &str) -> io::Result<Found> {
    let folder = above.join(key);
    let path = lock::path(&folder);
    match lock::share(&path)? {
        Some(lock) if is_ready(&folder) => return Ok(Found::Ready(used(folder, lock))),
        Some(_) => {}
        None => return Ok(Found::Busy),
    }
    // Whoever has begun before and was killed holds no lock any more.
    let Some(lock) = lock::take(&path)? else { return Ok(Found::Busy) };
    let making = Making { folder, lock: Some(lock) };
    if is_ready(&making.folder) {
        // Somebody else was quicker.
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
    // The order of removal is all that depends on it.
    let _ =
        File::options().write(true).open(folder.with_extension(READY)).map(|file| file.set_modified(SystemTime::now()));
    InUse { folder, _lock: lock }
}

/// An environment that is being made, by nobody else. Nothing of it is left when this is dropped without an end.
#[derive(Debug)]
pub(crate) struct Making {
    folder: PathBuf,
    lock: Option<File>,
}

impl Making {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Input for the command that makes it: an empty file, which is the lock. Should our process be killed, the lock is held
    /// until the last process of the command is gone, so that nobody else begins in the same folder before.
    pub(crate) fn input(&self) -> io::Result<File> {
        self.lock.as_ref().ok_or(io::ErrorKind::NotFound)?.try_clone()
    }

    /// Says that it is ready, in a file with these words, and removes those used least if there are too many; `None` if
    /// somebody else took it at this very moment.
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

    /// From a lock of our own to one that others share.
    fn share(mut self) -> io::Result<Option<InUse>> {
        let folder = self.folder.clone();
        let Some(lock) = self.lock.take() else { return Ok(None) };
        // The system may give up the one before it has the other.
        let shared = lock.try_lock_shared().is_ok() && is_ready(&folder);
        Ok(shared.then(|| used(folder, lock)))
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        let Some(lock) = self.lock.take() else { return };
        // There is nobody to tell; whoever looks for it next removes what is left.
        let _ = trees::remove(&self.folder);
        let _ = std::fs::remove_file(lock::path(&self.folder));
        // Processes that the command has left behind, and forks of ours, have it open too.
        let _ = lock.unlock();
    }
}

/// Removes all but [`MOST`] environments, those first that were used longest ago, and what was left half made. One that is in
/// use stays. What cannot be removed now may be the next time.
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

/// Removes an environment that nobody uses, and of which this holds then.
fn remove_if(folder: &Path, holds: impl Fn(&Path) -> bool) {
    let path = lock::path(folder);
    let Ok(Some(_held)) = lock::take(&path) else { return };
    if !holds(folder) {
        return;
    }
    // First the word that it is ready: it is not any more once a part of it is gone.
    let unsaid = match std::fs::remove_file(folder.with_extension(READY)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    if unsaid.and_then(|()| trees::remove(folder)).is_ok() {
        let _ = std::fs::remove_file(path);
    }
}
