//! Simulated disks: operations, and the contents that survive a power cut.
//!
//! [`Operation`]s come from a layer between the tested code and the disk. Journals have such a layer, and [`preload`] records the
//! operations of SQLite and other libraries.

mod image;
mod power_cut;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub mod preload;

use std::path::PathBuf;

pub use image::Image;
pub use power_cut::{Loss, power_cut};

/// An operation on a disk. Files have numbers, because one name can refer to several files over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// Creates a file.
    Create {
        /// The name of the file.
        path: PathBuf,
        /// The number of the file.
        file: usize,
    },
    /// Writes bytes, at the end or over existing ones.
    Write {
        /// The file.
        file: usize,
        /// The position of the first byte.
        at: usize,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Truncates a file.
    Cut {
        /// The file.
        file: usize,
        /// The new length.
        length: usize,
    },
    /// Syncs the contents of a file, but not its name.
    Sync {
        /// The file.
        file: usize,
    },
    /// Fails to sync a file. Unsynced data may be on disk or not, and the system no longer tries to write it.
    SyncFailed {
        /// The file.
        file: usize,
    },
    /// Syncs the names in a folder.
    SyncFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// Renames a file, and replaces an existing file.
    Rename {
        /// The old name.
        from: PathBuf,
        /// The new name.
        to: PathBuf,
        /// The file.
        file: usize,
    },
    /// Removes a name.
    Remove {
        /// The name.
        path: PathBuf,
    },
    /// Creates a folder.
    MakeFolder {
        /// The name of the folder.
        path: PathBuf,
    },
}

/// Returns a folder for simulated disks, in memory if the system has such a folder.
#[must_use]
pub fn in_memory() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    if memory.is_dir() { memory } else { std::env::temp_dir() }
}
