//! Git's commit-graph files, with corrected checksums.

use std::path::PathBuf;
use std::sync::LazyLock;

use firstbad_git::Repository;
use firstbad_testkit::git_repository::GitRepository;

use crate::seeds::commit_graph_repository;

/// A repository, the path of its commit-graph file, and its newest commit.
static WORLD: LazyLock<(GitRepository, Repository, PathBuf, String)> = LazyLock::new(commit_graph_repository);

pub(super) fn take(input: &[u8]) {
    let (_, repository, path, tip) = &*WORLD;
    let Some((text, _)) = input.split_last_chunk::<20>() else { return };
    let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
    hasher.update(text);
    let checksum = hasher.try_finalize().expect("no attack on SHA-1");
    std::fs::write(path, [text, checksum.as_slice()].concat()).expect("a folder of its own");
    if let Ok(graph) = repository.graph_of_file(path, tip) {
        assert!(graph.get(tip).is_some_and(|node| graph.leaves().any(|leaf| leaf == node)));
    }
}
