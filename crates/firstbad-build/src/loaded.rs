//! What a loader gives back.

use firstbad::suspicion::BuildGraph;

/// A build graph, and what a loader could not use.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The graph.
    pub graph: BuildGraph,
    /// What is not in it, and why, in words; best shown to whoever asked.
    pub warnings: Vec<String>,
}
