//! Trees that were made of parts of a history.

use std::collections::HashMap;

/// A change that git cannot bring to what is there without others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The index of the change.
    pub change: usize,
    /// The files in which it conflicts, or git's own words.
    pub words: String,
}

/// A tree, or the change that cannot be brought there.
pub(super) type Brought = Result<String, Conflict>;

/// What was made, so that each is made once.
#[derive(Debug, Default)]
pub(super) struct Made {
    /// By the tree, the state before a commit, and the state after it: what the tree is with that commit on it.
    pub(super) merged: HashMap<(String, String, String), Result<String, String>>,
    /// What some of a commit's changes make of the state before it.
    pub(super) partly: HashMap<Vec<usize>, Brought>,
}
