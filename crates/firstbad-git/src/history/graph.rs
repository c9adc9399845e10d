//! Reading the commit graph of a repository.

use std::path::Path;

use firstbad::{CommitGraph, Error, GraphBuilder, Origin};

use super::request::{GraphOptions, Request};
use super::{file, rev_list, walk};
use crate::git::side_by_side;
use crate::refs::Ref;
use crate::repository::Repository;

impl Repository {
    /// Returns the commit graph of the history that `options` select. Ids are full commit ids, and times are commit times in
    /// seconds since 1970. Branches, tags, and the expressions in `options` become names in the graph.
    ///
    /// If [fetching](Repository::fetching) is allowed, the rest of a shallow history is fetched first.
    ///
    /// The graph comes from a commit-graph file if it is valid and shows the same history as Git. It does not for shallow clones,
    /// grafts, replaced objects, or if `paths` are given. Otherwise, `git rev-list` provides the graph. Both give the same
    /// result.
    ///
    /// # Errors
    /// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for `tips` or `exclude`.
    /// - [`Error::InvalidArgument`] if no commit touches `paths`.
    /// - [`Error::EmptyGraph`] if no commit is left.
    /// - [`Error::Git`] if Git fails.
    pub fn graph(&self, options: &GraphOptions) -> Result<CommitGraph, Error> {
        options.check()?;
        self.complete_history()?;
        let (refs, named) = side_by_side(
            || self.refs(),
            || {
                let tips = self.resolve_all("tips", &options.tips)?;
                Ok::<_, Error>((tips, self.resolve_all("exclude", &options.exclude)?))
            },
        );
        let (refs, (tips, exclude)) = (refs?, named?);
        let request = Request {
            tips: match tips[..] {
                [] => refs.iter().filter(|found| found.is_tip()).map(Ref::object).collect(),
                _ => tips.iter().map(String::as_str).collect(),
            },
            exclude: exclude.iter().map(String::as_str).collect(),
            first_parent: options.first_parent,
            paths: &options.paths,
            keeps_tips: !tips.is_empty(),
        };
        if request.tips.is_empty() {
            return Err(Error::EmptyGraph);
        }
        // If the file is damaged, Git reads the commits themselves.
        let file = file::open(self, &request, &refs);
        let damaged = matches!(file, Some(Err(_)));
        let walked = file.and_then(Result::ok).map(|file| walk::read(self, &file, &request).ok());
        let (mut builder, kept) = match walked {
            Some(Some(builder)) => (builder, Vec::new()),
            // Git reads the file without verifying its checksum, so it must be disabled.
            walked => rev_list::read(self, &request, !damaged && walked.is_none())?,
        };
        name_refs(&mut builder, &refs);
        for (expression, id) in options.tips.iter().zip(&tips).chain(options.exclude.iter().zip(&exclude)) {
            builder.name(expression, id);
        }
        let owned = |shas: &[&str]| shas.iter().map(|&sha| sha.to_owned()).collect();
        builder.origin(Origin {
            repository: self.path().to_string_lossy().into_owned(),
            tips: owned(&request.tips),
            exclude: owned(&request.exclude),
            first_parent: options.first_parent,
            paths: options.paths.clone(),
            kept,
        });
        builder.build()
    }

    /// Returns the history of one commit from a commit-graph file, without running Git. For fuzzing.
    ///
    /// # Errors
    /// [`Error::Git`] if the file is damaged, and errors of the graph.
    #[doc(hidden)]
    pub fn graph_of_file(&self, file: &Path, tip: &str) -> Result<CommitGraph, Error> {
        let stored = file::verified(&[file.to_owned()]).ok_or_else(|| file::damaged(&file.display()))?;
        let request =
            Request { tips: vec![tip], exclude: Vec::new(), first_parent: false, paths: &[], keeps_tips: false };
        walk::read(self, &stored, &request)?.build()
    }
}

/// Adds the full and short names. The last of several equal names wins, so weaker names come first.
fn name_refs(builder: &mut GraphBuilder, refs: &[Ref]) {
    let mut short: Vec<(usize, &str, &str)> = refs
        .iter()
        .filter_map(|found| found.short().map(|(weakness, short)| (weakness, short, found.object())))
        .collect();
    short.sort_by_key(|&(weakness, ..)| std::cmp::Reverse(weakness));
    let full = refs.iter().filter(|found| found.is_tip()).map(|found| (found.name.as_str(), found.object()));
    for (name, id) in short.into_iter().map(|(_, short, id)| (short, id)).chain(full) {
        builder.name(name, id);
    }
}
