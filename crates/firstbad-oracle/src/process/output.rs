//! The folders with the output of commands: a folder that the caller names, or one per oracle in the cache.
//!
//! Folders in the cache are removed after [`AGE`]. If all folders together exceed [`SIZE`], the oldest are removed first. A
//! folder is never removed while its oracle is alive.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use firstbad_platform::leftovers::lock;
use firstbad_platform::trees;

use super::log;

/// The maximum age of output in the cache.
const AGE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The maximum bytes of output in the cache, for all repositories together.
const SIZE: u64 = 1_000_000_000;

/// A folder for the output of one oracle.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    /// The lock of a folder in the cache, and the process that took it. A forked process does not release the lock.
    lock: Option<(File, u32)>,
}

impl Output {
    /// Uses the folder that the caller names.
    pub(crate) fn given(path: PathBuf) -> Output {
        Output { path, lock: None }
    }

    /// Creates a folder `above/name/...` in the cache, after removing old ones.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub(crate) fn cached(above: &Path, name: &str) -> io::Result<Output> {
        sweep(above, SystemTime::now(), AGE, SIZE);
        let path = log::new_folder(&above.join(name))?;
        // Without the lock, another process can remove the folder early. That does not prevent the search.
        let lock = lock::take(&lock::path(&path)).ok().flatten().map(|lock| (lock, std::process::id()));
        Ok(Output { path, lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.lock.take().is_some_and(|(_, process)| process == std::process::id()) {
            let _ = std::fs::remove_file(lock::path(&self.path));
        }
    }
}

/// A folder with output in the cache.
struct Kept {
    path: PathBuf,
    /// The time of the last change in the folder.
    changed: SystemTime,
    bytes: u64,
}

/// Removes folders that are older than `age`, and the oldest folders if all together exceed `size` bytes.
fn sweep(above: &Path, now: SystemTime, age: Duration, size: u64) {
    let mut kept: Vec<Kept> = folders_in(above).iter().flat_map(|folder| folders_in(folder)).map(Kept::of).collect();
    kept.sort_by(|one, other| other.changed.cmp(&one.changed).then_with(|| other.path.cmp(&one.path)));
    let mut bytes = 0_u64;
    for folder in kept {
        bytes = bytes.saturating_add(folder.bytes);
        if bytes > size || now.duration_since(folder.changed).is_ok_and(|since| since > age) {
            bytes -= folder.bytes;
            folder.remove();
        }
    }
}

/// Returns the subfolders of a folder, without symbolic links.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()).collect()
}

impl Kept {
    fn of(path: PathBuf) -> Kept {
        let mut kept = Kept { path: path.clone(), changed: SystemTime::UNIX_EPOCH, bytes: 0 };
        let mut left = vec![path];
        while let Some(path) = left.pop() {
            let Ok(found) = std::fs::symlink_metadata(&path) else { continue };
            kept.changed = kept.changed.max(found.modified().unwrap_or(SystemTime::UNIX_EPOCH));
            kept.bytes = kept.bytes.saturating_add(found.len());
            if found.is_dir() {
                let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
                left.extend(entries.map(|entry| entry.path()));
            }
        }
        kept
    }

    /// Removes the folder unless its oracle is alive. If that fails, the next sweep tries again.
    fn remove(&self) {
        let path = lock::path(&self.path);
        if let Ok(Some(_held)) = lock::take(&path) {
            let _ = trees::remove(&self.path);
            let _ = std::fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    /// Creates a folder with `bytes` of output, written `days` ago.
    fn made(above: &Path, name: &str, bytes: usize, days: u32) -> PathBuf {
        let folder = above.join(name);
        std::fs::create_dir_all(folder.join("below")).unwrap();
        std::fs::write(folder.join("below/run.log"), vec![b'x'; bytes]).unwrap();
        let then = SystemTime::now() - DAY * days;
        for path in ["below/run.log", "below", ""] {
            File::open(folder.join(path)).unwrap().set_modified(then).unwrap();
        }
        folder
    }

    #[test]
    fn output_is_kept_for_14_days_and_up_to_1_gb() {
        let above = std::env::temp_dir().join(format!("firstbad-outputs-{}", std::process::id()));
        let old = made(&above, "a/1-1-0", 10, 15);
        let [older, newer, newest] =
            [("a/2-1-0", 3), ("b/3-1-0", 2), ("a/4-1-0", 1)].map(|(name, days)| made(&above, name, 1_000_000, days));
        let sizes = 3 * 1_100_000;
        sweep(&above, SystemTime::now(), AGE, sizes);
        assert!(!old.exists() && older.exists() && newer.exists() && newest.exists());
        // A folder in use stays regardless of its age and size.
        let held = lock::take(&lock::path(&older)).unwrap().unwrap();
        sweep(&above, SystemTime::now(), AGE, sizes / 2);
        assert!(older.exists() && !newer.exists() && newest.exists());
        // A process that another test starts at this moment has a copy of the file, which would keep the lock.
        held.unlock().unwrap();
        drop(held);
        sweep(&above, SystemTime::now(), AGE, sizes / 2);
        assert!(!older.exists() && newest.exists());
        sweep(&above, SystemTime::now() + DAY * 14, AGE, sizes);
        assert!(!newest.exists());
        let left = folders_in(&above).iter().map(|folder| std::fs::read_dir(folder).unwrap().count()).sum::<usize>();
        assert_eq!(left, 0, "no lock stays");
        std::fs::remove_dir_all(&above).unwrap();
    }

    #[test]
    fn output_is_kept_while_its_oracle_exists() {
        let above = std::env::temp_dir().join(format!("firstbad-output-{}", std::process::id()));
        let output = Output::cached(&above, "a").unwrap();
        sweep(&above, SystemTime::now() + DAY * 15, AGE, SIZE);
        assert!(output.path().exists());
        let path = output.path().to_owned();
        drop(output);
        assert!(path.exists() && !lock::path(&path).exists());
        sweep(&above, SystemTime::now() + DAY * 15, AGE, SIZE);
        assert!(!path.exists());
        std::fs::remove_dir_all(&above).unwrap();
    }
}
