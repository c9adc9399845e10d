use firstbad::suspicion::BuildGraph;

/// A build graph with the warnings of its loader.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The graph.
    pub graph: BuildGraph,
    /// Messages about everything that was left out of the graph, to show to the user.
    pub warnings: Vec<String>,
}
