//! From a repository, or from a journal, to a search.

use std::path::Path;
use std::sync::Arc;

use firstbad::{CommitGraph, Error, World, graph::Origin};
use firstbad_git::{GraphOptions, Repository};
use firstbad_journal::{Contents, Session, WorldRecord};

use crate::args::SearchArgs;

/// The search that the command line describes, without a journal.
///
/// # Errors
/// Those of reading the repository and of [`firstbad::open`].
pub(crate) fn search(args: &SearchArgs) -> Result<(Repository, Session), Error> {
    let repository = Repository::open(&args.repository)?;
    let graph = graph(&repository, args)?;
    let search = firstbad::open("regression", Arc::new(graph), &args.configuration()?)?;
    Ok((repository, Session::new(search)))
}

/// The part of the history between the ends.
fn graph(repository: &Repository, args: &SearchArgs) -> Result<CommitGraph, Error> {
    let (newer, argument) = if args.fix { (&args.good, "--good") } else { (&args.bad, "--bad") };
    if newer.is_empty() {
        return Err(Error::invalid(argument, newer, "at least one revision"));
    }
    repository.graph(&GraphOptions {
        tips: args.bad.iter().chain(&args.good).cloned().collect(),
        exclude: Vec::new(),
        first_parent: args.first_parent,
        paths: args.path.clone(),
    })
}

/// The world of a journal, from the repository where it is that of one.
///
/// # Errors
/// Those of reading the repository, and of [`Header::world`](firstbad_journal::Header::world).
pub(crate) fn world(
    journal: &Path,
    contents: &Contents,
    repository: Option<&Path>,
) -> Result<(Option<Repository>, World), Error> {
    let WorldRecord::Git(origin) = &contents.header.world else {
        return Ok((None, contents.header.world(journal, None)?));
    };
    let Origin { repository: folder, tips, exclude, first_parent, paths } = origin.clone();
    let repository = Repository::open(repository.unwrap_or(Path::new(&folder)))?;
    let graph = repository.graph(&GraphOptions { tips, exclude, first_parent, paths })?;
    let world = contents.header.world(journal, Some(graph))?;
    Ok((Some(repository), world))
}
