//! Questions about the current search.

use super::task::TaskState;
use super::{Leaf, Rpa};
use crate::graph::Node;
use crate::regression::known_passing::KnownPassing;
use crate::regression::report::LeafResult;
use crate::regression::strategy::{BayesSearch, DagSearch};

impl Rpa {
    /// The failing revision that the current search has reached, and its leaf.
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

    /// Drops the current search, to find the next runs for the leaves after it. Returns whether there are any.
    pub(in crate::regression) fn set_aside(&mut self) -> bool {
        let Some(task) = self.task.take() else { return false };
        self.leaves[task.leaf].result = LeafResult::Searched;
        self.leaves.iter().any(|leaf| leaf.result == LeafResult::Open)
    }

    /// The belief of the current search, if any.
    pub(in crate::regression) fn belief(&self) -> Option<&BayesSearch> {
        if let TaskState::Search(search) = &self.task.as_ref()?.state { search.belief() } else { None }
    }

    /// The current search on the DAG, unless it waits for the base of its suspects.
    pub(in crate::regression) fn dag_search(&self) -> Option<&DagSearch> {
        match &self.task.as_ref()?.state {
            TaskState::Search(search) => search.dag_search(),
            TaskState::Around { search, asks: true, .. } => Some(search),
            _ => None,
        }
    }
}
