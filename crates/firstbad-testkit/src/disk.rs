//! Disks: what was done to them, and what of it outlives a power cut.
//!
//! [`Operation`]s come from a layer of the tests between what is tested and the disk: journals have one of their own, what
//! SQLite and other libraries do is seen by [`preload`].

mod image;
mod power_cut;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub mod preload;

use std::path::PathBuf;

pub use image::Image;
pub use power_cut::{Loss, power_cut};

/// What was done. Files have numbers: a name may stand for one file after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// A new file.
    Create {
        /// Its name.
        path: PathBuf,
        /// Its number.
        file: usize,
    },
    /// Bytes were written, at the end or over others.
    Write {
        /// The file.
        file: usize,
        /// Where the first of them is.
        at: usize,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// All beyond a length was taken off.
    Cut {
        /// The file.
        file: usize,
        /// Its length now.
        length: usize,
    },
    /// What the file holds is on the disk. Its name may not be.
    Sync {
        /// The file.
        file: usize,
    },
    /// What was not on the disk may have come there or not, and the system takes it for written.
    SyncFailed {
        /// The file.
        file: usize,
    },
    /// The names in a folder are on the disk.
    SyncFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// A file has another name; a file that had it has none.
    Rename {
        /// Its name until now.
        from: PathBuf,
        /// Its name now.
        to: PathBuf,
        /// The file.
        file: usize,
    },
    /// A name is gone.
    Remove {
        /// The name.
        path: PathBuf,
    },
    /// A new folder.
    MakeFolder {
        /// Its name.
        path: PathBuf,
    },
}

/// A folder for disks that are only played: in memory where the system has such a folder.
#[must_use]
pub fn in_memory() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    if memory.is_dir() { memory } else { std::env::temp_dir() }
}
