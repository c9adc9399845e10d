//! The costs of runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::belief::named;
use crate::culprit;
use crate::graph::{CommitGraph, Node};

/// The costs of runs by revision, 1 by default.
#[derive(Debug, Clone, Default)]
pub(super) struct Costs {
    runs: Arc<BTreeMap<Node, f64>>,
}

impl Costs {
    pub(super) fn new(runs: impl IntoIterator<Item = (Node, f64)>) -> Self {
        // A cost of 1 is the default.
        let runs = runs.into_iter().filter(|&(_, cost)| cost != 1.0).collect();
        Costs { runs: Arc::new(runs) }
    }

    pub(super) fn at(&self, node: Node) -> f64 {
        self.runs.get(&node).copied().unwrap_or(1.0)
    }

    /// Whether all runs have the same cost.
    pub(super) fn is_even(&self) -> bool {
        self.runs.is_empty()
    }

    /// The places of the members whose costs the caller gave. The members must be in ascending order.
    pub(super) fn places<'a>(&'a self, members: &'a [Node]) -> impl Iterator<Item = usize> + 'a {
        let ends = members.first().zip(members.last());
        let own = ends.map(|(&first, &last)| self.runs.range(first..=last));
        own.into_iter().flatten().filter_map(|(node, _)| members.binary_search(node).ok())
    }

    /// The information per cost, in bits, of a test that fails with this probability.
    pub(super) fn information(&self, node: Node, fail_chance: f64) -> f64 {
        let term = |share: f64| if share > 0.0 { -share * share.log2() } else { 0.0 };
        (term(fail_chance) + term(1.0 - fail_chance)) / self.at(node)
    }

    /// The costs by place, for searches that count suspects from the oldest.
    pub(super) fn by_place(&self, place: impl Fn(Node) -> Option<usize>) -> culprit::Costs {
        culprit::Costs(Arc::new(self.runs.iter().filter_map(|(&node, &cost)| Some((place(node)?, cost))).collect()))
    }

    /// The given costs, under full ids.
    pub(super) fn named(&self, graph: &CommitGraph) -> Option<BTreeMap<String, f64>> {
        (!self.is_even()).then(|| named(graph, &*self.runs))
    }
}
