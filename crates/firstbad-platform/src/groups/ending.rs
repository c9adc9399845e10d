//! How a group ended.

use std::process::ExitStatus;

/// How the first process of a group ended.
#[derive(Debug, Clone, Copy)]
pub struct Ending {
    /// Its exit code or signal.
    pub status: ExitStatus,
    /// The most resident memory that it had, in bytes, and on Unix systems also those that it waited for; 0 if the system
    /// does not tell.
    pub memory: u64,
}
