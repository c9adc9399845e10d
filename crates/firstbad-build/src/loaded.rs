//! What a loader gives back.

use firstbad::suspicion::BuildGraph;

use crate::revisions::Revisions;

/// A build graph, and what a loader could not use.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The graph.
    pub graph: BuildGraph,
    /// What is not in it, and why, in words; best shown to whoever asked.
    pub warnings: Vec<String>,
    /// Where the same can be read at another revision; `None` if it was not read from a repository.
    pub revisions: Option<Revisions>,
}

impl Loaded {
    /// A graph that was not read from a repository.
    #[must_use]
    pub fn new(graph: BuildGraph, warnings: Vec<String>) -> Loaded {
        Loaded { graph, warnings, revisions: None }
    }
}
