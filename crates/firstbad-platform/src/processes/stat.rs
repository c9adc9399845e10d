/// Information about a process.
#[derive(Debug, PartialEq, Eq)]
pub struct Stat {
    /// Whether the process has ended but was not reaped yet.
    pub is_dead: bool,
    /// The process group.
    pub group: i32,
    /// The start time, in a unit of the system.
    pub start: u64,
}
