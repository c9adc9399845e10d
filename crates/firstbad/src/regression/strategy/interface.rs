//! The interface of the strategies to search below a leaf, and their input.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::belief::PriorWeights;
use crate::graph::{CommitGraph, Node};
use crate::regression::config::RegressionConfig;
use crate::regression::costs::Costs;
use crate::regression::known_passing::KnownPassing;
use crate::regression::outcomes::View;
use crate::regression::report::LeafResult;

/// The probability that a cleared revision fails.
pub(in crate::regression) const UNEXPECTED: f64 = 0.05;

/// A strategy to find a regression point below a failing revision (RPA, Algorithm 4, line 10).
pub(in crate::regression) trait Strategy {
    /// Advances as far as the known outcomes allow.
    fn advance(&mut self, ground: &Ground<'_>) -> Found;

    /// Returns the failing revision that the search has reached.
    fn bad(&self) -> Node;

    /// Whether the search assumes that an ancestor of the failing revision passes.
    fn rests_on_passing(&self) -> bool {
        true
    }
}

/// The result of a strategy.
#[derive(Debug)]
pub(in crate::regression) enum Found {
    /// A revision must be tested, and fails with about this probability.
    Ask { node: Node, fail_chance: f64 },
    /// There is more to do without a run.
    Again,
    /// The path below `bad` ends at `low`, which passes or is assumed to pass. `None` is the virtual root.
    Edge { low: Option<Node>, bad: Node, start: PathStart },
    /// This revision is the culprit, with this probability if the test is flaky. The parents in `told_apart` were distinguished
    /// from it.
    Culprit { node: Node, probability: Option<f64>, told_apart: Vec<Node> },
    /// One of these suspects, oldest first, is the culprit, and no test can distinguish them.
    Inseparable { suspects: Vec<Node>, probability: f64 },
    /// This revision fails, and the search should continue below it.
    Below(Node),
    /// The given rates of a flaky test do not fit.
    OtherRates,
    /// The leaf ends without a point.
    NoAnswer(LeafResult),
}

/// The place where a path starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::regression) enum PathStart {
    /// A passing revision, or a root that is assumed to pass.
    Revision,
    /// The virtual passing root under roots that do not pass.
    Virtual,
}

/// The input of the search for one leaf.
pub(in crate::regression) struct Ground<'a> {
    pub(in crate::regression) graph: &'a Arc<CommitGraph>,
    pub(in crate::regression) config: &'a RegressionConfig,
    pub(in crate::regression) prior: Option<&'a PriorWeights>,
    pub(in crate::regression) costs: &'a Costs,
    pub(in crate::regression) passing: &'a mut Arc<KnownPassing>,
    pub(in crate::regression) view: View<'a>,
    pub(in crate::regression) leaf: Node,
    /// Whether the search has already reached revisions without a passing ancestor.
    pub(in crate::regression) has_sides: bool,
}

impl Ground<'_> {
    /// Returns the suspects for `bad`, including descendants of cleared revisions. If the search reaches such a descendant, it
    /// tests the cleared revision. If the search has already reached revisions without a passing ancestor, only suspects with one
    /// count.
    pub(super) fn suspects(&self, bad: Node) -> FixedBitSet {
        if self.has_sides {
            return self.suspects_above_passing(bad);
        }
        let mut suspects = self.passing.suspects(self.graph, self.view, bad);
        self.passing.keep_those_that_come_from_passing(self.graph, self.view, &mut suspects);
        suspects.insert(bad as usize);
        suspects
    }

    /// Returns the suspects for `bad` that have a passing ancestor. A separate history without a passing revision has no
    /// regression point.
    pub(super) fn suspects_above_passing(&self, bad: Node) -> FixedBitSet {
        let mut suspects = self.passing.suspects(self.graph, self.view, bad);
        self.passing.keep_those_above(&mut suspects);
        suspects.insert(bad as usize);
        suspects
    }
}
