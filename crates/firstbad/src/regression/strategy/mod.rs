//! The strategies to search below a leaf: along a path, on the DAG, the latest culprit first, and by beliefs.
//!
//! To add a strategy, add a file with a type that implements [`Strategy`], and a line in [`strategy`].

mod bayes;
mod dag;
mod decision_tree;
mod git_bisect;
mod interface;
mod latest;
mod line;
mod on_path;
mod path;
mod prior;
mod round;

pub(super) use bayes::{BayesSearch, Flaky, noise};
pub(super) use dag::{DagKind, DagSearch, DagStep};
pub(super) use interface::{Found, Ground, PathStart, Strategy, UNEXPECTED};
pub(super) use prior::Prior;
pub(super) use round::shares;

use dag::OnDag;
use on_path::OnPath;
use path::PathKind;

use super::config::{Prefer, SearchKind};
use crate::graph::Node;

/// The strategy of the current search, cheap to clone.
#[derive(Debug, Clone)]
pub(super) enum Chosen {
    Path(OnPath),
    Dag(OnDag),
    Bayes(Box<BayesSearch>),
}

/// Chooses how to search below `bad`. Without a passing ancestor, the search takes a path from a virtual root.
pub(super) fn choose(ground: &mut Ground<'_>, bad: Node, has_passing_ancestor: bool, is_proven: bool) -> Chosen {
    let kind = PathKind::of(ground.config.search);
    if !has_passing_ancestor {
        return match ground.view.flaky {
            // With a flaky test, first find out whether the failure is real.
            Some(flaky) if !is_proven => Chosen::Bayes(Box::new(BayesSearch::below(ground, flaky, bad))),
            _ => Chosen::Path(OnPath::from_virtual_root(ground, kind.unwrap_or(PathKind::Binary), bad)),
        };
    }
    match (ground.config.search, ground.config.prefer, kind, ground.view.flaky) {
        (_, _, Some(kind), _) => Chosen::Path(OnPath::below(ground, kind, bad)),
        (SearchKind::Auto, Prefer::Latest, ..) if bad == ground.leaf => Chosen::Dag(latest::below(ground, bad)),
        (SearchKind::Bayes, _, _, Some(flaky)) => Chosen::Bayes(Box::new(BayesSearch::below(ground, flaky, bad))),
        (search, ..) => Chosen::Dag(OnDag::below(ground, search, bad)),
    }
}

impl Chosen {
    pub(super) fn strategy(&self) -> &dyn Strategy {
        match self {
            Chosen::Path(search) => search,
            Chosen::Dag(search) => search,
            Chosen::Bayes(search) => &**search,
        }
    }

    pub(super) fn strategy_mut(&mut self) -> &mut dyn Strategy {
        match self {
            Chosen::Path(search) => search,
            Chosen::Dag(search) => search,
            Chosen::Bayes(search) => &mut **search,
        }
    }

    /// Returns the belief of the search, if any.
    pub(super) fn belief(&self) -> Option<&BayesSearch> {
        if let Chosen::Bayes(search) = self { Some(search) } else { None }
    }

    /// Returns the search on the DAG, unless it waits for the base of its suspects.
    pub(super) fn dag_search(&self) -> Option<&DagSearch> {
        if let Chosen::Dag(search) = self { search.at_work() } else { None }
    }
}
