//! A patch on its way from revision to revision.

use serde::Serialize;

/// The revision that a search works at, and how large the patch is that it carries there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Carrying {
    /// The revision.
    pub revision: String,
    /// How many changes the patch has; while it is being reduced, the smallest found so far.
    pub patch: usize,
}
