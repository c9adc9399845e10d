//! Folders and processes that may outlive the process that created them. Locks show whether that process still runs. If it does
//! not, the next process removes its leftovers.

pub mod lock;
pub mod removal;
pub mod stale;
pub mod watcher;
