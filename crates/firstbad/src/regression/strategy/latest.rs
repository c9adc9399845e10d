//! Finds the latest culprit first: a search on the DAG that prefers revisions near the leaf.

use super::dag::{DagKind, DagSearch, OnDag};
use super::interface::Ground;
use super::prior::Prior;
use crate::graph::Node;

/// The search below a leaf, which first ignores revisions that failed for other leaves.
pub(super) fn below(ground: &Ground<'_>, leaf: Node) -> OnDag {
    let suspects = ground.suspects_above_passing(leaf);
    let prior = Prior::latest(ground.graph, &suspects, leaf).times(ground.graph, &suspects, ground.prior);
    let search = DagSearch::new(ground.graph, DagKind::Mass(prior), ground.costs, leaf, suspects);
    OnDag::new(search.afresh(ground.view))
}
