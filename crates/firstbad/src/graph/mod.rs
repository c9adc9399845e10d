//! Commit graphs: revisions and their parents.
//!
//! The index of a node is its rank in a topological order, parents first. Most searches rely on this order.

mod ancestor_sums;
mod build;
mod components;
mod csr;
mod ends;
mod ids;
mod origin;
mod past;
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
pub(crate) use ends::Ends;
use ids::Ids;
pub(crate) use past::Past;

use crate::error::Error;

/// A directed acyclic graph of revisions, with links from children to parents (RPA, Definition 1, with any number of roots).
///
/// Create a graph with [`CommitGraph::new`], [`CommitGraph::linear`], [`CommitGraph::from_edges`], or a [`GraphBuilder`]. Memory
/// is O(V + E): 85,000 commits take about 6 MB, including their ids.
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
    /// Returns the number of revisions, at least 1.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a graph is never empty")]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns the number of links to parents.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.parents.len()
    }

    /// Returns the id of a revision.
    #[must_use]
    pub fn id(&self, node: Node) -> &str {
        self.ids.get(node)
    }

    /// Returns all ids, parents before children.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        (0..self.len() as Node).map(|node| self.id(node))
    }

    /// Returns the revision with exactly this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<Node> {
        self.ids.find(id)
    }

    /// Returns the revision with this name. A name is an id, a branch or tag of the graph, or a unique prefix of a hexadecimal id
    /// with at least four characters.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] with similar names, or [`Error::AmbiguousRevision`]. Both name `argument`.
    pub fn resolve(&self, name: &str, argument: &str) -> Result<Node, Error> {
        self.ids.resolve(name, argument)
    }

    /// Returns the parents of a revision, in their original order.
    #[must_use]
    #[inline(always)]
    pub fn parents(&self, node: Node) -> &[Node] {
        self.parents.row(node)
    }

    /// Returns the children of a revision, oldest first.
    #[must_use]
    #[inline(always)]
    pub fn children(&self, node: Node) -> &[Node] {
        self.children.row(node)
    }

    /// Returns the revisions without parents, in topological order.
    pub fn roots(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.len() as Node).filter(|&node| self.parents(node).is_empty())
    }

    /// Returns the revisions without children, in topological order.
    pub fn leaves(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.len() as Node).filter(|&node| self.children(node).is_empty())
    }

    /// Returns the time of a revision in the caller's unit. For Git, this is seconds since 1970. Without times, it is the index
    /// of the revision.
    #[must_use]
    pub fn time(&self, node: Node) -> i64 {
        self.times.as_ref().map_or(i64::from(node), |times| times[node as usize])
    }

    /// Returns whether the revisions have times.
    #[must_use]
    pub fn has_times(&self) -> bool {
        self.times.is_some()
    }

    /// Returns the source of the graph, or `None` if it was not read from a repository.
    #[must_use]
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// Returns whether a revision is only an endpoint of a history that was limited to paths. Such a revision touches none of the
    /// paths, and commits between it and its parents here are left out.
    #[must_use]
    pub fn is_outside_paths(&self, node: Node) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.kept.iter().any(|kept| kept == self.id(node)))
    }

    /// Returns the names of a revision (branches, tags, and requested expressions), in alphabetical order.
    #[must_use]
    pub fn names(&self, node: Node) -> Vec<&str> {
        self.ids.names(node)
    }

    /// Returns a stable 128-bit fingerprint of `tips` and their ancestors, as 32 hexadecimal digits. Equal histories have equal
    /// fingerprints. Other revisions of the graph do not count.
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
            // A sum does not depend on the order of the revisions.
            let hash = hasher.finish128();
            sum = (sum.0.wrapping_add(hash.h1), sum.1.wrapping_add(hash.h2));
        }
        format!("{:016x}{:016x}", sum.0, sum.1)
    }
}
