//! The selection of a history.

use firstbad::Error;

/// The part of the history that becomes the graph.
///
/// The graph contains all commits that are reachable from `tips` but not from `exclude`. Excluded commits that are parents of
/// these become roots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphOptions {
    /// The revisions to start from, in Git's syntax (`main`, `v1.0~3`). If empty: `HEAD`, all branches including remote ones, and
    /// tags.
    pub tips: Vec<String>,
    /// The revisions to leave out with their ancestors.
    pub exclude: Vec<String>,
    /// Whether to follow only first parents. Commits that are reachable from `exclude` through any parent are still left out.
    pub first_parent: bool,
    /// The paths that commits must touch (Git's pathspecs, relative to the top level). If empty, all commits are kept.
    ///
    /// The history is simplified as by `git log -- paths`. In addition, `tips` are kept, and so are the first parents of commits
    /// that would have no parent.
    pub paths: Vec<String>,
}

impl GraphOptions {
    /// Creates options from optional lists. An empty list is an error, because a script that found nothing would otherwise search
    /// everything.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if `tips` or `paths` is an empty list.
    pub fn given(
        tips: Option<Vec<String>>,
        exclude: Option<Vec<String>>,
        first_parent: bool,
        paths: Option<Vec<String>>,
    ) -> Result<GraphOptions, Error> {
        let listed = |argument, list: Option<Vec<String>>, otherwise: &str| match list {
            Some(list) if list.is_empty() => {
                let expected = format!("at least one, or no {argument}, which means {otherwise}");
                Err(Error::invalid(argument, list, expected))
            }
            list => Ok(list.unwrap_or_default()),
        };
        Ok(GraphOptions {
            tips: listed("tips", tips, "HEAD and all branches and tags")?,
            exclude: exclude.unwrap_or_default(),
            first_parent,
            paths: listed("paths", paths, "all commits")?,
        })
    }

    /// Checks the options.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if any text is empty, because Git gives empty texts different meanings.
    pub(super) fn check(&self) -> Result<(), Error> {
        for (argument, list) in [("tips", &self.tips), ("exclude", &self.exclude), ("paths", &self.paths)] {
            if list.iter().any(String::is_empty) {
                return Err(Error::invalid(argument, list, "texts that are not empty"));
            }
        }
        Ok(())
    }
}

/// The selected history, with full ids.
pub(super) struct Request<'a> {
    pub(super) tips: Vec<&'a str>,
    pub(super) exclude: Vec<&'a str>,
    pub(super) first_parent: bool,
    pub(super) paths: &'a [String],
    /// Whether to keep `tips` that do not touch the paths, because they were named.
    pub(super) keeps_tips: bool,
}
