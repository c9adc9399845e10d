//! Patches: unified diffs as git writes them, as files, hunks and single changes.

/// A patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {}
