use serde::Serialize;

/// The revision that a search currently works on, and the size of its patch there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Carrying {
    /// The full id of the revision.
    pub revision: String,
    /// The number of changes in the patch. During a reduction, this is the smallest patch so far.
    pub patch: usize,
}
