//! Questions about the current search.

use super::task::TaskState;
use super::{Leaf, Rpa};
use crate::graph::Node;
use crate::regression::known_passing::KnownPassing;
use crate::regression::report::LeafResult;
use crate::regression::strategy::{BayesSearch, DagSearch};

impl Rpa {
    /// The failing revision that the search at hand has come down to, with its leaf.
    pub(in crate::regression) fn at(&self) -> Option<(usize, Node)> {
        self.task.as_ref().map(|task| (task.leaf, task.at()))
    }

    /// Whether any point of a leaf has an older side.
    pub(in crate::regression) fn has_change(&self, leaf: &Leaf) -> bool {
        leaf.points.iter().any(|&point| self.points[point].good.is_some())
    }

    pub(in crate::regression) fn passing(&self) -> &KnownPassing {
        &self.passing
    }

    /// Leaves the search at hand aside: what would be asked for the leaves after it.
    pub(in crate::regression) fn set_aside(&mut self) -> bool {
        let Some(task) = self.task.take() else { return false };
        self.leaves[task.leaf].result = LeafResult::Searched;
        self.leaves.iter().any(|leaf| leaf.result == LeafResult::Open)
    }

    /// The belief at hand; `None` if the search at hand keeps none.
    pub(in crate::regression) fn belief(&self) -> Option<&BayesSearch> {
        if let TaskState::Search(search) = &self.task.as_ref()?.state { search.belief() } else { None }
    }

    /// The search on the DAG at hand; `None` if it is of another kind, or waits for what its suspects come from.
    pub(in crate::regression) fn dag_search(&self) -> Option<&DagSearch> {
        match &self.task.as_ref()?.state {
            TaskState::Search(search) => search.dag_search(),
            TaskState::Around { search, asks: true, .. } => Some(search),
            _ => None,
        }
    }
}
