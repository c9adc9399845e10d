//! When a commit-graph file may stand for the history.

use firstbad::Error;
use gix_commitgraph::Graph;

use super::request::Request;
use crate::refs::Ref;
use crate::repository::Repository;
use crate::{git, objects};

/// The commit-graph file (or chain of files) of the repository or of the first alternate that has one. `None` if
/// there is none, if its owner told git not to read it, or if the history that git shows is not the one that is stored: shallow clones, grafts, replaced objects, simplification by paths.
pub(super) fn open(repository: &Repository, request: &Request<'_>, refs: &[Ref]) -> Option<Graph> {
    let common = repository.common_dir();
    let has_text = |name: &str| std::fs::metadata(common.join(name)).is_ok_and(|file| file.len() > 0);
    if !request.paths.is_empty()
        || repository.object_format() != "sha1"
        || refs.iter().any(|found| found.name.starts_with("refs/replace/"))
        || has_text("shallow")
        || has_text("info/grafts")
    {
        return None;
    }
    let graph = objects::folders(common).into_iter().find_map(|folder| {
        let info = folder.join("info");
        let single = info.join("commit-graph");
        let chain = info.join("commit-graphs");
        let path = if single.is_file() { single } else { chain };
        path.exists().then(|| Graph::at(&path, gix_hash::Kind::Sha1, None).ok()).flatten()
    })?;
    allowed(repository).then_some(graph)
}

fn allowed(repository: &Repository) -> bool {
    let mut command = repository.git();
    command.args(["config", "--type=bool", "--get", "core.commitGraph"]);
    !matches!(git::finished(&mut command, b""), Ok((None, answer)) if answer.starts_with(b"false"))
}

/// The error for a commit-graph file that contradicts itself.
pub(super) fn damaged(error: &dyn std::fmt::Display) -> Error {
    Error::Git { message: format!("damaged commit-graph file: {error}") }
}
