//! Commit graphs: revisions, their parents, and what can be asked about how they hang together.
//!
//! [`CommitGraph`] implements petgraph's visit traits, so petgraph's algorithms run on it as they are. A node's
//! index is its rank in a topological order, parents first, which most searches here rely on.

mod ancestor_sums;
mod build;
mod commit_graph;
mod csr;
mod ids;
mod origin;
mod reach;
mod topology;
mod visit;

pub use ancestor_sums::AncestorSums;
pub use build::GraphBuilder;
pub use commit_graph::CommitGraph;
pub use ids::Node;
pub use origin::Origin;
pub use reach::Distances;

pub(crate) use csr::Csr;
pub(crate) use reach::flood;
