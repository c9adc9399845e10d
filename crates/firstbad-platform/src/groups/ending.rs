use std::process::ExitStatus;
use std::time::Duration;

/// How the first process of a group ended.
#[derive(Debug, Clone, Copy)]
pub struct Ending {
    /// The exit code or signal.
    pub status: ExitStatus,
    /// The peak resident memory in bytes, or 0 if unknown. On Unix, it includes the processes that the first process waited for.
    pub memory: u64,
    /// The processor time in user mode and in the kernel. On Unix, it includes the processes that the first process waited for.
    pub cpu: Duration,
}
