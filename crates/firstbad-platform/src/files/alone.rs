use std::fs::File;

/// The result of [`open_alone`](super::open_alone).
#[derive(Debug)]
pub enum Alone {
    /// The file, open for reading and writing. No other process has it until it is closed.
    Ours(File),
    /// Another process has the file.
    Held {
        /// The file, open for reading.
        file: File,
        /// The number of that process, if the system reports it.
        process: Option<u32>,
    },
    /// The previous owner has just released the file. Try again.
    Free,
}

/// Returns the error for a file with a second hard link: writing to it would change the other file.
pub(super) fn linked() -> std::io::Error {
    std::io::Error::other("it has a second name (a hard link)\nhelp: remove it if no other process uses it")
}
