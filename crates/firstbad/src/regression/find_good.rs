//! Looking back for an older end where none was given: a few revisions that are named, then ancestors further and further
//! back, until one is seen to be what an older end has to be.
//!
//! Without it the roots are assumed to pass (RPA, Section 2), and the first question lies in the middle of the whole history,
//! where a test of today often cannot be run at all.

use serde::{Deserialize, Serialize};

/// Whether to look back for an older end, and where first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected true, false, or the revisions to try first")]
pub enum LookBack {
    /// Whether to look back. In a git repository who opens a search puts the last tag before each newer end in its place.
    Named(bool),
    /// Yes, at these revisions first, in this order; those that are no ancestors of a newer end are left out there.
    First(Vec<String>),
}
