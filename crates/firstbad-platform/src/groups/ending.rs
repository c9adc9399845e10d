use std::process::ExitStatus;

/// How the first process of a group ended.
#[derive(Debug, Clone, Copy)]
pub struct Ending {
    /// The exit code or signal.
    pub status: ExitStatus,
    /// The peak resident memory in bytes, or 0 if unknown. On Unix, it includes the processes that the first process waited for.
    pub memory: u64,
}
