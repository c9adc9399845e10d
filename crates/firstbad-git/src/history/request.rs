//! Which part of a history is asked for.

use firstbad::Error;

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
    /// Keep only commits that touch these paths (git's pathspecs, from the top level), the first parents of those that have
    /// no other such commit before them, and `tips`, with the history between them simplified as `git log -- paths` does.
    /// Empty: all commits.
    pub paths: Vec<String>,
}

impl GraphOptions {
    /// Options of which each may be left out. An empty list where one is given is a mistake: a script that found nothing would
    /// search everything.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `tips` or `paths` without anything in them.
    pub fn given(
        tips: Option<Vec<String>>,
        exclude: Option<Vec<String>>,
        first_parent: bool,
        paths: Option<Vec<String>>,
    ) -> Result<GraphOptions, Error> {
        let listed = |argument, list: Option<Vec<String>>, otherwise: &str| match list {
            Some(list) if list.is_empty() => {
                let expected = format!("at least one, or to leave {argument} out, for {otherwise}");
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

    /// # Errors
    /// [`Error::InvalidArgument`] for a text that is empty: to git it means something else each time.
    pub(super) fn check(&self) -> Result<(), Error> {
        for (argument, list) in [("tips", &self.tips), ("exclude", &self.exclude), ("paths", &self.paths)] {
            if list.iter().any(String::is_empty) {
                return Err(Error::invalid(argument, list, "texts that are not empty"));
            }
        }
        Ok(())
    }
}

/// What a history is asked for, in full shas.
pub(super) struct Request<'a> {
    pub(super) tips: Vec<&'a str>,
    pub(super) exclude: Vec<&'a str>,
    pub(super) first_parent: bool,
    pub(super) paths: &'a [String],
    /// Whether `tips` stay where they do not touch the paths: they were named.
    pub(super) keeps_tips: bool,
}
