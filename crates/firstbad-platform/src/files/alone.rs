//! What comes of wanting a file for one process alone.

use std::fs::File;

/// What comes of [`open_alone`](super::open_alone).
#[derive(Debug)]
pub enum Alone {
    /// The file, to be read and written; nobody else has it as long as it is open.
    Ours(File),
    /// Another process has it.
    Held {
        /// The file, to be read.
        file: File,
        /// Which process, if the system tells.
        process: Option<u32>,
    },
    /// Whoever had it gave it up just now.
    Free,
}

/// Returns the error for a file with a second hard link: writing to it would change the other file.
pub(super) fn linked() -> std::io::Error {
    std::io::Error::other("it has a second name (a hard link): remove it if no other process uses it")
}
