//! A search along a shortest path from a known passing revision to a leaf.

use std::sync::Arc;

use super::interface::{Found, Ground, PathStart, Strategy};
use super::path::{PathKind, PathSearch, PathStep};
use crate::graph::Node;
use crate::regression::known_passing::KnownPassing;
use crate::search::Outcome;

#[derive(Debug, Clone)]
pub(in crate::regression) struct OnPath {
    path: Arc<[Node]>,
    search: PathSearch,
    start: PathStart,
    /// How much of the log is included.
    seen: usize,
}

impl OnPath {
    /// The search on a shortest path from the nearest passing revision to `bad` (Algorithm 4, line 9).
    pub(super) fn below(ground: &mut Ground<'_>, kind: PathKind, bad: Node) -> Self {
        let passing = Arc::make_mut(ground.passing);
        passing.measure(ground.graph, ground.view);
        let path: Arc<[Node]> = passing.distances().path(ground.graph, bad).into();
        OnPath { search: PathSearch::new(kind, path.len() - 1), path, start: PathStart::Revision, seen: 0 }
    }

    /// The search from a virtual root under the nearest root of `bad`. The virtual root is position 0.
    pub(super) fn from_virtual_root(ground: &Ground<'_>, kind: PathKind, bad: Node) -> Self {
        let path: Arc<[Node]> = KnownPassing::path_from_root(ground.graph, bad).into();
        // If the root fails, the whole history fails, and there is nothing to search.
        let length = if ground.view.outcome(path[0]) == Some(Outcome::Fail) { 1 } else { path.len() };
        OnPath { search: PathSearch::new(kind, length), path, start: PathStart::Virtual, seen: 0 }
    }

    /// The number of positions before the first revision of the path.
    fn shift(&self) -> usize {
        usize::from(self.start == PathStart::Virtual)
    }
}

impl Strategy for OnPath {
    fn advance(&mut self, ground: &Ground<'_>) -> Found {
        let (shift, view) = (self.shift(), ground.view);
        match self.search.next(|position| view.outcome(self.path[position - shift])) {
            PathStep::Ask { position, fail_chance } => {
                // Ranks ascend along a path.
                let place = |node: Node| self.path.binary_search(&node).ok().map(|place| place + shift);
                let known = view.since(self.seen).filter_map(|(node, outcome)| Some((place(node)?, outcome)));
                let shorter = ground.config.shares() && self.search.learn(&known.collect::<Vec<_>>());
                self.seen = view.len();
                if shorter { Found::Again } else { Found::Ask { node: self.path[position - shift], fail_chance } }
            }
            PathStep::Done { low, high } => {
                let low = low.checked_sub(shift).map(|low| self.path[low]);
                Found::Edge { low, bad: self.path[high - shift], start: self.start }
            }
        }
    }

    fn bad(&self) -> Node {
        self.path[self.search.high - self.shift()]
    }

    fn rests_on_passing(&self) -> bool {
        self.start == PathStart::Revision
    }
}
