//! Folders and processes that may outlive the process that made them: locks tell whether it still lives, and whoever comes
//! next removes what it left behind.

pub mod lock;
pub mod removal;
pub mod stale;
pub mod watcher;
