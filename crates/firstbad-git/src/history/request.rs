//! Which part of a history is asked for.

/// Which part of the history becomes the graph.
///
/// The graph holds everything reachable from `tips` and not from `exclude`, and, as roots, the excluded commits that
/// are parents of what it holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphOptions {
    /// Where to start, as git writes revisions (`main`, `v1.0~3`). Empty: `HEAD` and all branches, remote ones too,
    /// and tags.
    pub tips: Vec<String>,
    /// What to leave out, with its ancestors.
    pub exclude: Vec<String>,
    /// Follow and keep only the first parent of every commit. What is reachable from `exclude` by any parent is still
    /// left out.
    pub first_parent: bool,
    /// Keep only commits that touch these paths (git's pathspecs, from the top level), with the history between them
    /// simplified as `git log -- paths` does. Empty: all commits.
    pub paths: Vec<String>,
}

/// What a history is asked for, in full shas.
pub(super) struct Request<'a> {
    pub(super) tips: Vec<&'a str>,
    pub(super) exclude: Vec<&'a str>,
    pub(super) first_parent: bool,
    pub(super) paths: &'a [String],
}
