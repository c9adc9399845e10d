//! The growing steps that [`LookBack`] asks for.

use super::find_good::LookBack;
use super::outcomes::View;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::option;
use crate::search::Outcome;

/// The length of the first step if no revision is given. Each further step is twice as long. Compared with a first step of one, a
/// near culprit costs at most three more runs, and a distant one four runs less.
const FIRST_STEP: usize = 16;

/// The revisions to test for each newer endpoint, until an ancestor passes.
#[derive(Debug)]
pub(super) struct Steps {
    first: Vec<Node>,
    lines: Vec<Line>,
}

/// A newer endpoint and its first parents.
#[derive(Debug)]
struct Line {
    nodes: Vec<Node>,
    /// The revisions to test in growing steps, each with its distance in first parents, or that of the nearest one that it
    /// contains.
    steps: Vec<(Node, usize)>,
}

impl Steps {
    /// Returns `None` if the search need not look back.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for a name that is not one revision. [`Error::InvalidArgument`]
    /// if there is an older endpoint, or if the test can be flaky, because one pass then proves nothing.
    pub(super) fn new(
        graph: &CommitGraph,
        given: Option<&LookBack>,
        newer: &[Node],
        older: &[Node],
        flaky: bool,
    ) -> Result<Option<Self>, Error> {
        let names: &[String] = match given {
            None | Some(LookBack::Named(false)) => return Ok(None),
            Some(LookBack::Named(true)) => &[],
            Some(LookBack::First(names)) => names,
        };
        let refused = |expected: &str| {
            let value = serde_json::json!(given).to_string();
            Err(Error::InvalidArgument { argument: "find_good".into(), value, expected: expected.into() })
        };
        if !older.is_empty() {
            return refused("nothing, because an older endpoint is given");
        }
        if flaky {
            return refused(concat!(
                "nothing with ",
                option!(search = "bayes"),
                ", because one pass of a flaky test proves nothing"
            ));
        }
        let first: Vec<Node> =
            names.iter().map(|name| graph.resolve(name, "find_good")).collect::<Result<_, Error>>()?;
        let lines = newer.iter().map(|&end| Line::further_back(graph, end, &first)).collect();
        Ok(Some(Steps { first, lines }))
    }

    /// Steps between the newer endpoints and unresolved older ones. Their outcomes also narrow down the culprit.
    pub(super) fn within(graph: &CommitGraph, newer: &[Node], older: &[Node]) -> Self {
        let lines = newer.iter().map(|&end| Line::new(graph, end, older)).collect();
        Steps { first: older.to_vec(), lines }
    }

    /// The given revisions.
    pub(super) fn first(&self) -> &[Node] {
        &self.first
    }

    /// The given value, under full ids.
    pub(super) fn named(&self, graph: &CommitGraph) -> LookBack {
        if self.first.is_empty() {
            return LookBack::Named(true);
        }
        LookBack::First(self.first.iter().map(|&node| graph.id(node).to_owned()).collect())
    }

    /// The revisions to test before the search for this newer endpoint, the most useful first, until an ancestor passes.
    pub(super) fn missing(&self, view: View<'_>, place: usize) -> Vec<Node> {
        let line = &self.lines[place];
        let further = line.steps.iter().map(|&(node, _)| node).filter(|&node| view.outcome(node).is_none());
        line.nearer(view).into_iter().chain(further).collect()
    }
}

impl Line {
    /// The given revisions that are ancestors of this endpoint.
    fn new(graph: &CommitGraph, end: Node, first: &[Node]) -> Self {
        let nodes: Vec<Node> = std::iter::successors(Some(end), |&node| graph.parents(node).first().copied()).collect();
        let root = nodes.len() - 1;
        let is_before = |&node: &Node| node != end && graph.is_ancestor(node, end);
        let away = |node: Node| {
            let held = graph.ancestors(&[node]);
            (node, nodes.iter().position(|&at| held.contains(at as usize)).unwrap_or(root))
        };
        let steps = first.iter().copied().filter(is_before).map(away).collect();
        Line { nodes, steps }
    }

    /// The given revisions that are ancestors of this endpoint, then first parents in doubling distances, from twice the largest
    /// given distance to the root.
    fn further_back(graph: &CommitGraph, end: Node, first: &[Node]) -> Self {
        let Line { nodes, mut steps } = Line::new(graph, end, first);
        let root = nodes.len() - 1;
        let named = steps.iter().map(|step| step.1 * 2).max();
        let further = std::iter::successors(Some(named.unwrap_or(FIRST_STEP)), |far| far.checked_mul(2));
        steps.extend(further.take_while(|&far| far < root).map(|far| (nodes[far], far)));
        if root > 0 && steps.iter().all(|step| step.0 != nodes[root]) {
            steps.push((nodes[root], root));
        }
        Line { nodes, steps }
    }

    /// The revision halfway to the nearest unresolved one, because older revisions are usually unresolved as well. `None` if no
    /// revision is unresolved, or if nothing is left to test.
    fn nearer(&self, view: View<'_>) -> Option<Node> {
        let is = |outcome: Outcome| move |&node: &Node| view.outcome(node) == Some(outcome);
        let failing = self.nodes.iter().rposition(is(Outcome::Fail)).unwrap_or(0);
        let on_line = self.nodes[failing..].iter().position(is(Outcome::Unresolved)).map(|at| failing + at);
        let beside = self.steps.iter().filter(|(node, _)| is(Outcome::Unresolved)(node)).map(|step| step.1);
        let unresolved = beside.filter(|&at| at > failing).chain(on_line).min()?;
        let half = failing + (unresolved - failing) / 2;
        (half > failing).then(|| self.nodes[half]).filter(|&node| view.outcome(node).is_none())
    }
}
