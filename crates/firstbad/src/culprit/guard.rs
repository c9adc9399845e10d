//! The guard: firstbad reports a culprit only after a failure of the culprit and a pass of each of its parents.
//!
//! Endpoints, rates, and priors are claims of the caller. Each outcome that a conclusion needs must therefore be observed once.

use hashbrown::{HashMap, HashSet};

use crate::belief::{Rates, RunCounts};
use crate::graph::{CommitGraph, Node};
use crate::search::Outcome;

/// The runs of all revisions, including those without information about the culprit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    runs: HashMap<Node, RunCounts>,
    untestable: HashSet<Node>,
}

impl Seen {
    /// Adds the runs of one observation. No runs means that the revision is unresolved.
    pub(crate) fn add(&mut self, node: Node, tally: RunCounts) {
        if tally == RunCounts::default() {
            self.untestable.insert(node);
        } else {
            *self.runs.entry(node).or_default() += tally;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.runs.clear();
        self.untestable.clear();
    }

    /// All runs of a revision.
    pub(crate) fn runs(&self, node: Node) -> RunCounts {
        self.runs.get(&node).copied().unwrap_or_default()
    }

    /// Every revision with runs.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.runs.keys().copied()
    }

    /// Whether the revision had an unresolved outcome.
    pub(crate) fn is_untestable(&self, node: Node) -> bool {
        self.untestable.contains(&node)
    }
}

/// How long the guard waits for an outcome.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Patience {
    /// Until the opposite runs are far less probable than the accepted error, at the worst plausible rates.
    Likely { flake: f64, false_pass: f64, error: f64 },
    /// Until this many runs, the number that bisection accepts as an outcome.
    Reruns(u32),
}

impl Patience {
    pub(crate) fn of(rates: &Rates, confidence: f64) -> Self {
        let (flake, false_pass) = rates.worst();
        Patience::Likely { flake, false_pass, error: FAR_LESS * (1.0 - confidence) }
    }

    /// Whether runs without the wanted outcome are enough to give up.
    fn gives_up(self, wanted: Outcome, runs: RunCounts) -> bool {
        let otherwise = if wanted == Outcome::Pass { runs.fails } else { runs.passes };
        match self {
            Patience::Likely { flake, false_pass, error } => {
                let chance = if wanted == Outcome::Pass { flake } else { false_pass };
                otherwise > 0 && chance.powf(f64::from(otherwise)) <= error
            }
            Patience::Reruns(reruns) => otherwise >= reruns,
        }
    }
}

/// How much less probable than the accepted error such runs must be.
const FAR_LESS: f64 = 0.1;

/// An outcome that is required for a culprit and was not observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) node: Node,
    pub(crate) outcome: Outcome,
}

/// The outcomes that a likely culprit lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unproven {
    /// The missing failure of the revision and the missing passes of its parents. Empty if the revision has no parent.
    pub(crate) missing: Vec<Missing>,
    /// The revisions among them that are worth running next. If empty, the search ends.
    pub(crate) due: Vec<Node>,
}

/// The evidence that a conclusion needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guard<'a> {
    pub(crate) seen: &'a Seen,
    pub(crate) patience: Patience,
}

impl Guard<'_> {
    /// The outcomes that are missing before `culprit` can be reported. `None` if nothing is missing.
    pub(crate) fn unproven(&self, graph: &CommitGraph, culprit: Node) -> Option<Unproven> {
        unproven(graph, culprit, self.seen, self.patience)
    }
}

fn unproven(graph: &CommitGraph, culprit: Node, seen: &Seen, patience: Patience) -> Option<Unproven> {
    let parents = graph.parents(culprit);
    let failure = Missing { node: culprit, outcome: Outcome::Fail };
    let passes = parents.iter().map(|&node| Missing { node, outcome: Outcome::Pass });
    let is_missing = |one: &Missing| match one.outcome {
        Outcome::Pass => seen.runs(one.node).passes == 0,
        _ => seen.runs(one.node).fails == 0,
    };
    let missing: Vec<Missing> = std::iter::once(failure).chain(passes).filter(is_missing).collect();
    if missing.is_empty() && !parents.is_empty() {
        return None;
    }
    let can_be_had =
        |one: &&Missing| !seen.is_untestable(one.node) && !patience.gives_up(one.outcome, seen.runs(one.node));
    let due = missing.iter().filter(can_be_had).map(|one| one.node).collect();
    Some(Unproven { missing, due })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Patience = Patience::Likely { flake: 0.1, false_pass: 0.0, error: 0.02 };

    fn tally(passes: u32, fails: u32) -> RunCounts {
        RunCounts { passes, fails }
    }

    fn merge() -> (CommitGraph, [Node; 4]) {
        let graph = CommitGraph::new([("r", vec![]), ("a", vec!["r"]), ("b", vec!["r"]), ("m", vec!["a", "b"])]);
        let graph = graph.unwrap_or_else(|error| panic!("{error}"));
        let node = |name| graph.get(name).unwrap_or_default();
        let nodes = ["r", "a", "b", "m"].map(node);
        (graph, nodes)
    }

    #[test]
    fn a_merge_needs_a_failure_and_a_pass_of_each_parent() {
        let (graph, [_, a, b, m]) = merge();
        let mut seen = Seen::default();
        let due = |seen: &Seen| unproven(&graph, m, seen, PATIENCE).map(|unproven| unproven.due);
        assert_eq!(due(&seen), Some(vec![m, a, b]));
        seen.add(m, tally(0, 1));
        seen.add(a, tally(1, 3));
        assert_eq!(due(&seen), Some(vec![b]));
        // One failure can be a flake. Two failures are too many for a flake rate of 10%.
        seen.add(b, tally(0, 1));
        assert_eq!(due(&seen), Some(vec![b]));
        seen.add(b, tally(0, 1));
        let missing = vec![Missing { node: b, outcome: Outcome::Pass }];
        assert_eq!(unproven(&graph, m, &seen, PATIENCE), Some(Unproven { missing, due: vec![] }));
        seen.add(b, tally(1, 0));
        assert_eq!(due(&seen), None);
    }

    #[test]
    fn an_unresolved_parent_is_neither_waited_for_nor_taken_as_a_pass() {
        let (graph, [_, a, b, m]) = merge();
        let mut seen = Seen::default();
        seen.add(m, tally(0, 1));
        seen.add(a, tally(1, 0));
        seen.add(b, tally(0, 0));
        let missing = vec![Missing { node: b, outcome: Outcome::Pass }];
        assert_eq!(unproven(&graph, m, &seen, PATIENCE), Some(Unproven { missing, due: vec![] }));
    }

    #[test]
    fn a_root_is_never_proven() {
        let (graph, [r, ..]) = merge();
        let mut seen = Seen::default();
        seen.add(r, tally(0, 9));
        assert_eq!(unproven(&graph, r, &seen, PATIENCE), Some(Unproven { missing: vec![], due: vec![] }));
    }
}
