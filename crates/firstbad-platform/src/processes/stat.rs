//! What is known of a process.

/// A process, dead or alive.
#[derive(Debug, PartialEq, Eq)]
pub struct Stat {
    /// Whether it has ended, and only waits to be collected.
    pub is_dead: bool,
    /// Its process group.
    pub group: i32,
    /// When it started, in a unit of the system's own.
    pub start: u64,
}
