//! Reductions of patches and files.

mod patch;
mod pieces;

use std::time::Duration;

pub(crate) use patch::{OneTest, PatchSearch, PatchedTest};
pub(crate) use pieces::Pieces;

/// The maximum time to wait for another process that writes to the journal.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);
