//! Asking `git rev-list` for a history.

use firstbad::{Error, GraphBuilder};

use super::ends;
use super::listing::Listing;
use super::request::Request;
use crate::git;
use crate::repository::Repository;

/// The revisions that `request` asks for, with times; `by_file` is whether git may read its commit-graph file.
pub(super) fn read(repository: &Repository, request: &Request<'_>, by_file: bool) -> Result<GraphBuilder, Error> {
    let text = ask(repository, request, request.paths, by_file)?;
    let full;
    let mut listing = Listing::parse(&text)?;
    if !request.paths.is_empty() && (request.first_parent || request.keeps_tips) {
        full = ask(repository, request, &[], by_file)?;
        let full = Listing::parse(&full)?;
        if request.keeps_tips {
            ends::keep(&mut listing, &full, &request.tips);
        }
        if request.first_parent {
            // If a first parent does not touch the paths, git moves the second one up in its place.
            listing.follow_first_parents(&full);
        }
    } else if request.first_parent {
        listing.included.iter_mut().for_each(|commit| commit.parents.truncate(1));
    }
    listing.build()
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
    let text = git::output(&mut command, input.as_bytes())?;
    String::from_utf8(text).map_err(|error| Error::Git { message: format!("git rev-list: {error}") })
}
