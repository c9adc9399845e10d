//! Recorded graphs: as they were read, and as repositories of git.

use std::path::Path;

use firstbad_testkit::bare_graph::BareGraph;
use firstbad_testkit::git_repository::GitRepository;

/// A recorded bare graph, by the name in its file.
pub(crate) fn bare_graph(data: &Path, name: &str) -> Result<BareGraph, String> {
    BareGraph::read(&data.join("graphs").join(format!("{name}.json.gz"))).map_err(|failure| failure.to_string())
}

/// A repository with the shape of a graph, packed and with a commit-graph file, as after `git gc`.
pub(crate) fn repository(bare: &BareGraph) -> Result<GitRepository, String> {
    let words = |failure: firstbad_testkit::Failure| failure.to_string();
    let repository = GitRepository::new(&bare.graph).map_err(words)?;
    repository.git(&["commit-graph", "write", "--reachable"], "").map_err(words)?;
    Ok(repository)
}
