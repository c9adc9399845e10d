//! Further and further back, until something is otherwise than the newer end: what [`LookBack`] asks for.

use super::find_good::LookBack;
use super::outcomes::View;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::option;
use crate::search::Outcome;

/// How far back the first step goes where no revision is named; each further one goes twice as far. A culprit that is nearer
/// costs at most three runs more than with a first step of one, and one that is further away four runs fewer.
const FIRST_STEP: usize = 16;

/// What to ask, for each newer end, until something before it passes.
#[derive(Debug)]
pub(super) struct Steps {
    first: Vec<Node>,
    lines: Vec<Line>,
}

/// A newer end and its first parents, one behind the other.
#[derive(Debug)]
struct Line {
    nodes: Vec<Node>,
    /// What is asked further and further back: a revision, and how many first parents away it is, or what it contains.
    steps: Vec<(Node, usize)>,
}

impl Steps {
    /// `None` if nothing is to be looked for.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`]; [`Error::InvalidArgument`] beside an older end, and with a
    /// test that may be flaky, where one pass shows nothing.
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
            return refused("nothing beside older ends: it is how to find one");
        }
        if flaky {
            return refused(concat!(
                "nothing with ",
                option!(search = "bayes"),
                ": one pass of a flaky test shows nothing"
            ));
        }
        let first: Vec<Node> =
            names.iter().map(|name| graph.resolve(name, "find_good")).collect::<Result<_, Error>>()?;
        let lines = newer.iter().map(|&end| Line::further_back(graph, end, &first)).collect();
        Ok(Some(Steps { first, lines }))
    }

    /// Between the newer ends and older ones that cannot be tested: what is asked there says where the change is, too.
    pub(super) fn within(graph: &CommitGraph, newer: &[Node], older: &[Node]) -> Self {
        let lines = newer.iter().map(|&end| Line::new(graph, end, older)).collect();
        Steps { first: older.to_vec(), lines }
    }

    /// The revisions that are named.
    pub(super) fn first(&self) -> &[Node] {
        &self.first
    }

    /// The same as it was given, under full ids.
    pub(super) fn named(&self, graph: &CommitGraph) -> LookBack {
        if self.first.is_empty() {
            return LookBack::Named(true);
        }
        LookBack::First(self.first.iter().map(|&node| graph.id(node).to_owned()).collect())
    }

    /// What is to be asked before the newer end at this place is searched, the most useful first, as long as no revision before
    /// it was seen to pass.
    pub(super) fn missing(&self, view: View<'_>, place: usize) -> Vec<Node> {
        let line = &self.lines[place];
        let further = line.steps.iter().map(|&(node, _)| node).filter(|&node| view.outcome(node).is_none());
        line.nearer(view).into_iter().chain(further).collect()
    }
}

impl Line {
    /// The revisions named that come before this end.
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

    /// The revisions named that come before this end, then its first parents: twice as far as the last of those that were
    /// named, twice as far again, and so on, down to the root.
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

    /// Half the way to the nearest revision that could not be tested: what is older cannot be tested either, more often than
    /// not. `None` if there is none, or nothing left between it and what fails.
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
