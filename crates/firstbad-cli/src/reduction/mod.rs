//! Searches for what is small and still shows it: among the changes of a patch, or the pieces of a file.

mod patch;
mod pieces;

use std::time::Duration;

pub(crate) use patch::PatchSearch;
pub(crate) use pieces::Pieces;

/// How long to wait for another process that writes to the journal.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);
