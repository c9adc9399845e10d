//! The search for one leaf.

use crate::graph::Node;
use crate::regression::report::LeafResult;
use crate::regression::strategy::{Chosen, DagSearch, PathStart};

/// The search for one leaf.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) leaf: usize,
    /// The failing revision that the search has reached.
    pub(super) bad: Node,
    pub(super) state: TaskState,
    /// Failing parents without a passing ancestor. The start of each failure is searched separately.
    pub(super) sides: Vec<Node>,
    /// The points of this leaf so far.
    pub(super) points: Vec<usize>,
    /// Whether the search requested any run.
    pub(super) has_asked: bool,
    /// The failing revision with nothing left to test behind it.
    pub(super) around: Option<Node>,
    /// With a flaky test, the probability that `bad` is the culprit.
    pub(super) probability: Option<f64>,
    /// With a flaky test, the parents of `bad` that were distinguished from it, even if their own runs are inconclusive.
    pub(super) told_apart: Vec<Node>,
}

/// The stage of the search for a leaf.
#[derive(Debug, Clone)]
pub(super) enum TaskState {
    /// `bad` is new. The search must find out whether an ancestor passes, and how to search below `bad`.
    Enter,
    /// The search below `bad`.
    Search(Chosen),
    /// `bad` is found, and the revisions behind its unresolved ancestors are tested.
    Around {
        search: DagSearch,
        low: Option<Node>,
        start: PathStart,
        /// Whether to ask for outcomes, or to use only known ones.
        asks: bool,
    },
    /// The search below `bad` is over. `low` is the end of its path, if any, and passes or is assumed to pass.
    Edge { low: Option<Node>, start: PathStart },
}

impl Task {
    pub(super) fn new(leaf: usize, bad: Node) -> Self {
        Task {
            leaf,
            bad,
            state: TaskState::Enter,
            sides: Vec::new(),
            points: Vec::new(),
            has_asked: false,
            around: None,
            probability: None,
            told_apart: Vec::new(),
        }
    }

    /// The failing revision that the search has reached.
    pub(super) fn at(&self) -> Node {
        match &self.state {
            TaskState::Search(search) => search.strategy().bad(),
            TaskState::Around { search, .. } => search.bad(),
            TaskState::Enter | TaskState::Edge { .. } => self.bad,
        }
    }

    /// Whether the current search assumes that an ancestor of `bad` passes.
    pub(super) fn rests_on_passing(&self) -> bool {
        match &self.state {
            TaskState::Enter => false,
            TaskState::Search(search) => search.strategy().rests_on_passing(),
            TaskState::Around { start, .. } | TaskState::Edge { start, .. } => *start == PathStart::Revision,
        }
    }

    /// Continues below `bad`.
    pub(super) fn enter(&mut self, bad: Node) -> Step {
        self.bad = bad;
        self.told_apart.clear();
        self.state = TaskState::Enter;
        Step::Again
    }
}

/// The result of a step of the search.
pub(super) enum Step {
    /// A revision must be tested, and fails with about this probability.
    Ask(Node, f64),
    /// There is more to do without a run.
    Again,
    /// The leaf has its points.
    Over,
    /// The given rates of a flaky test do not fit.
    OtherRates,
    /// The leaf ends without a point.
    NoAnswer(LeafResult),
}
