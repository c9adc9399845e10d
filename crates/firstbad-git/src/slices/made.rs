//! Trees built from parts of a history.

use std::collections::HashMap;

/// A change that cannot be applied without other changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The index of the change.
    pub change: usize,
    /// The conflicting files, or the message of Git.
    pub words: String,
}

/// A tree, or the change that cannot be applied.
pub(super) type Brought = Result<String, Conflict>;

/// A cache of built trees.
#[derive(Debug, Default)]
pub(super) struct Made {
    /// The results of merges, by the tree, the state before a commit, and the state after it.
    pub(super) merged: HashMap<(String, String, String), Result<String, String>>,
    /// The states after some changes of one commit.
    pub(super) partly: HashMap<Vec<usize>, Brought>,
}
