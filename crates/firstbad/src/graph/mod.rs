//! Commit graphs: revisions, their parents, and what can be asked about how they hang together.
//!
//! A node's index is its rank in a topological order, parents first, which most searches here rely on.

mod ancestor_sums;
mod build;
mod components;
mod csr;
mod ids;
mod origin;
mod reach;
mod topology;
mod versions;
mod visit;
mod written;

pub use ancestor_sums::AncestorSums;
pub use build::GraphBuilder;
pub use ids::Node;
pub use origin::Origin;
pub use reach::Distances;
pub(crate) use reach::flood;
pub use versions::VersionScheme;

pub(crate) use components::components;
pub(crate) use csr::Csr;
use ids::Ids;

use crate::error::Error;

/// A directed acyclic graph of revisions, child to parents (RPA, Definition 1, with any number of roots).
///
/// Memory is O(V + E): 85,000 commits with their ids take about 6 MB. Build one with [`CommitGraph::new`],
/// [`CommitGraph::linear`], [`CommitGraph::from_edges`] or a [`GraphBuilder`].
///
/// ```
/// use firstbad::CommitGraph;
/// let graph = CommitGraph::new([("m", vec!["a", "b"]), ("b", vec!["r"]), ("a", vec!["r"]), ("r", vec![])])?;
/// assert_eq!(graph.len(), 4);
/// assert_eq!(graph.roots().map(|n| graph.id(n)).collect::<Vec<_>>(), ["r"]);
/// # Ok::<(), firstbad::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct CommitGraph {
    ids: Ids,
    parents: Csr,
    children: Csr,
    times: Option<Vec<i64>>,
    origin: Option<Origin>,
}

impl CommitGraph {
    /// The number of revisions; never 0.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a graph is never empty")]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// The number of parent links.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.parents.len()
    }

    /// The id of a revision.
    #[must_use]
    pub fn id(&self, node: Node) -> &str {
        self.ids.get(node)
    }

    /// All ids, parents before children.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        (0..self.len() as Node).map(|node| self.id(node))
    }

    /// The revision with exactly this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<Node> {
        self.ids.find(id)
    }

    /// The revision that a name stands for: an id, a branch or tag that came with the graph, or a unique prefix
    /// (four characters or more) of a hexadecimal id.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] with the nearest names, [`Error::AmbiguousRevision`]; both name `argument`.
    pub fn resolve(&self, name: &str, argument: &str) -> Result<Node, Error> {
        self.ids.resolve(name, argument)
    }

    /// The parents of a revision, in their own order.
    #[must_use]
    #[inline(always)]
    pub fn parents(&self, node: Node) -> &[Node] {
        self.parents.row(node)
    }

    /// The children of a revision, oldest first.
    #[must_use]
    #[inline(always)]
    pub fn children(&self, node: Node) -> &[Node] {
        self.children.row(node)
    }

    /// Revisions without parents, in topological order.
    pub fn roots(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.len() as Node).filter(|&node| self.parents(node).is_empty())
    }

    /// Revisions without children, in topological order.
    pub fn leaves(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.len() as Node).filter(|&node| self.children(node).is_empty())
    }

    /// The time of a revision, in the caller's unit (git: seconds since 1970); its rank if no times were given.
    #[must_use]
    pub fn time(&self, node: Node) -> i64 {
        self.times.as_ref().map_or(i64::from(node), |times| times[node as usize])
    }

    /// Whether times were given.
    #[must_use]
    pub fn has_times(&self) -> bool {
        self.times.is_some()
    }

    /// Where the graph was read from; `None` if the caller made it.
    #[must_use]
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// Whether a revision touches none of the paths that the history was simplified to, while commits between it and what is
    /// before it here were left out.
    #[must_use]
    pub fn is_outside_paths(&self, node: Node) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.kept.iter().any(|kept| kept == self.id(node)))
    }

    /// The names that stand for a revision (branches, tags, expressions that it was asked for by), in alphabetical
    /// order.
    #[must_use]
    pub fn names(&self, node: Node) -> Vec<&str> {
        self.ids.names(node)
    }

    /// A stable 128-bit fingerprint, as 32 hexadecimal digits, over the ids and parents of `tips` and all their
    /// ancestors: equal for equal histories, whatever else the graph holds.
    #[must_use]
    pub fn fingerprint(&self, tips: &[Node]) -> String {
        use siphasher::sip128::{Hasher128, SipHasher13};
        use std::hash::Hasher;
        let mut sum = (0u64, 0u64);
        for node in self.ancestors(tips).ones() {
            let mut hasher = SipHasher13::new();
            hasher.write(self.id(node as Node).as_bytes());
            for &parent in self.parents(node as Node) {
                hasher.write_u8(0xff);
                hasher.write(self.id(parent).as_bytes());
            }
            // A sum does not depend on the order in which the revisions were given.
            let hash = hasher.finish128();
            sum = (sum.0.wrapping_add(hash.h1), sum.1.wrapping_add(hash.h2));
        }
        format!("{:016x}{:016x}", sum.0, sum.1)
    }
}
