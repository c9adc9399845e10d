//! From a repository's history to a commit graph.
//!
//! There are two ways, and both give the same graph in the same order, that of `git rev-list --topo-order`:
//! [`walk`] goes through a commit-graph file in memory, [`rev_list`] asks git.

mod commits;
mod file;
mod newer;
mod rev_list;
mod walk;

use firstbad::{CommitGraph, Error, GraphBuilder, Origin};

use crate::refs::{self, Ref};
use crate::repository::Repository;
use crate::revisions;

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
struct Request<'a> {
    tips: Vec<&'a str>,
    exclude: Vec<&'a str>,
    first_parent: bool,
    paths: &'a [String],
}

/// The graph that `options` choose.
///
/// # Errors
/// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`], [`Error::EmptyGraph`], [`Error::Git`].
pub(crate) fn graph(repository: &Repository, options: &GraphOptions) -> Result<CommitGraph, Error> {
    let refs = refs::all(repository)?;
    let tips = revisions::resolve(repository, "tips", &options.tips)?;
    let exclude = revisions::resolve(repository, "exclude", &options.exclude)?;
    let request = Request {
        tips: match tips[..] {
            [] => refs.iter().filter(|found| found.is_tip()).map(Ref::object).collect(),
            _ => tips.iter().map(String::as_str).collect(),
        },
        exclude: exclude.iter().map(String::as_str).collect(),
        first_parent: options.first_parent,
        paths: &options.paths,
    };
    if request.tips.is_empty() {
        return Err(Error::EmptyGraph);
    }
    // Should the file turn out to be damaged, git knows what to do, or says what is wrong.
    let walked = file::open(repository, &request, &refs).and_then(|file| walk::read(repository, &file, &request).ok());
    let mut builder = match walked {
        Some(builder) => builder,
        None => rev_list::read(repository, &request)?,
    };
    name_refs(&mut builder, &refs);
    for (expression, id) in options.tips.iter().zip(&tips).chain(options.exclude.iter().zip(&exclude)) {
        builder.name(expression, id);
    }
    let owned = |shas: &[&str]| shas.iter().map(|&sha| sha.to_owned()).collect();
    builder.origin(Origin {
        repository: repository.path().to_string_lossy().into_owned(),
        tips: owned(&request.tips),
        exclude: owned(&request.exclude),
        first_parent: options.first_parent,
        paths: options.paths.clone(),
    });
    builder.build()
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
