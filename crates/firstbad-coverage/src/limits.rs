//! How much of a report is read.

/// The largest report that is read, in bytes: far more than tools write, and some times that in memory.
pub(crate) const LARGEST_REPORT: usize = 128 << 20;

/// The last line that a report may name: longer programs do not fit into a file that is read.
pub(crate) const LAST_LINE: u32 = LARGEST_REPORT as u32;
