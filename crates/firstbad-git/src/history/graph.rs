//! The commit graph of a repository: read by one of two ways, then given names.

use std::path::Path;

use firstbad::{CommitGraph, Error, GraphBuilder, Origin};

use super::request::{GraphOptions, Request};
use super::{file, rev_list, walk};
use crate::git::side_by_side;
use crate::refs::Ref;
use crate::repository::Repository;

impl Repository {
    /// The commit graph of the history that `options` choose; ids are full shas, times those of the committers, in
    /// seconds since 1970. Branches, tags and the expressions in `options` are names in the graph.
    ///
    /// Where fetching is allowed ([`Repository::fetching`]), a shallow clone gets the rest of its history first.
    ///
    /// A commit-graph file is read if there is one and nothing changes the history that git shows (shallow clones, grafts,
    /// replaced objects, paths) and its checksum is right; `git rev-list` is asked otherwise. Both give the same graph.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `tips` or `exclude`;
    /// [`Error::InvalidArgument`] for `paths` that no commit touches; [`Error::EmptyGraph`] if nothing is left; [`Error::Git`].
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
        // Should the file turn out to be damaged, git reads the commits themselves.
        let file = file::open(self, &request, &refs);
        let damaged = matches!(file, Some(Err(_)));
        let walked = file.and_then(Result::ok).map(|file| walk::read(self, &file, &request).ok());
        let (mut builder, kept) = match walked {
            Some(Some(builder)) => (builder, Vec::new()),
            // git itself reads a file without looking at its checksum.
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

    /// The history of one commit as a commit-graph file alone has it: what fuzzing reads, without a process of git.
    ///
    /// # Errors
    /// [`Error::Git`] for a file that is damaged; those of a graph.
    #[doc(hidden)]
    pub fn graph_of_file(&self, file: &Path, tip: &str) -> Result<CommitGraph, Error> {
        let stored = file::verified(&[file.to_owned()]).ok_or_else(|| file::damaged(&file.display()))?;
        let request =
            Request { tips: vec![tip], exclude: Vec::new(), first_parent: false, paths: &[], keeps_tips: false };
        walk::read(self, &stored, &request)?.build()
    }
}

/// Full and short names. The last of several equal names counts, so the weakest come first.
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
