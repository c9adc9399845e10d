//! Reading a history with `git rev-list`.

use firstbad::{Error, GraphBuilder};
use hashbrown::HashSet;

use super::ends;
use super::listing::Listing;
use super::request::Request;
use crate::git;
use crate::repository::Repository;

/// Returns the requested revisions with times, and those that touch none of the paths and have other parents in the full history.
/// `by_file` allows Git to read its commit-graph file.
pub(super) fn read(
    repository: &Repository,
    request: &Request<'_>,
    by_file: bool,
) -> Result<(GraphBuilder, Vec<String>), Error> {
    let text = ask(repository, request, request.paths, by_file)?;
    if request.paths.is_empty() {
        let mut listing = Listing::parse(&text)?;
        if request.first_parent {
            listing.included.iter_mut().for_each(|commit| commit.parents.truncate(1));
        }
        return Ok((listing.build()?, Vec::new()));
    }
    let full = ask(repository, request, &[], by_file)?;
    let (mut listing, full) = (Listing::parse(&text)?, Listing::parse(&full)?);
    if listing.included.is_empty() && !full.included.is_empty() {
        let expected = "at least one path that a commit in this history touches";
        return Err(Error::invalid("paths", request.paths, expected));
    }
    let touching: HashSet<&str> = listing.included.iter().map(|commit| commit.id).collect();
    keep(&mut listing, &full, if request.keeps_tips { &request.tips } else { &[] }, request.first_parent);
    let before = listing.before_the_first(&touching, &full);
    keep(&mut listing, &full, &before, request.first_parent);
    let beyond = listing.beyond(&touching, &full, request.first_parent);
    Ok((listing.build()?, beyond))
}

/// Inserts commits that do not touch the paths into a simplified listing.
fn keep<'a>(listing: &mut Listing<'a>, full: &Listing<'a>, commits: &[&str], first_parent: bool) {
    ends::keep(listing, full, commits);
    if first_parent {
        // If a first parent does not touch the paths, Git puts the second parent in its place.
        listing.follow_first_parents(full);
    }
}

fn ask(repository: &Repository, request: &Request<'_>, paths: &[String], by_file: bool) -> Result<String, Error> {
    let mut command = repository.git();
    if !by_file {
        command.args(["-c", "core.commitGraph=false"]);
    }
    command.args(["rev-list", "--topo-order", "--reverse", "--parents", "--timestamp", "--boundary", "--stdin"]);
    if request.first_parent {
        command.arg("--first-parent");
    }
    command.arg("--").args(paths);
    let mut input = String::new();
    for tip in &request.tips {
        input.push_str(tip);
        input.push('\n');
    }
    for excluded in &request.exclude {
        input.push('^');
        input.push_str(excluded);
        input.push('\n');
    }
    let text = git::output(&mut command, input.as_bytes()).map_err(|error| match &error {
        Error::Git { message } if message.contains("is outside repository") => {
            let outside = paths.iter().find(|path| message.contains(path.as_str()));
            Error::invalid("paths", outside.map_or("", String::as_str), "a path in the repository")
        }
        _ => error,
    })?;
    String::from_utf8(text).map_err(|error| Error::Git { message: format!("git rev-list: {error}") })
}
