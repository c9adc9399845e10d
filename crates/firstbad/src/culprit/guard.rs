//! The concluding guard: nobody is named before a failure was seen at the culprit, and a pass at each of its parents.
//!
//! A posterior is no better than its prior and its rates. Ends that were only declared, rates that were only told and
//! suspects that a prior rules out are no observations: what a conclusion rests on is looked at once before it is drawn.

use hashbrown::{HashMap, HashSet};

use crate::belief::{Rates, RunCounts};
use crate::graph::{CommitGraph, Node};
use crate::search::Outcome;

/// What was seen of revisions, whether or not it tells anything about the culprit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    runs: HashMap<Node, RunCounts>,
    untestable: HashSet<Node>,
}

impl Seen {
    /// Takes in the runs of one answer; none at all means that the revision could not be tested.
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

    /// All runs at a revision.
    pub(crate) fn runs(&self, node: Node) -> RunCounts {
        self.runs.get(&node).copied().unwrap_or_default()
    }

    /// Every revision with runs.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.runs.keys().copied()
    }

    /// Whether an answer said that it could not be tested.
    pub(crate) fn is_untestable(&self, node: Node) -> bool {
        self.untestable.contains(&node)
    }
}

/// How long an outcome is waited for that does not come.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Patience {
    /// Until so many runs otherwise are far less likely, at the worst rates held possible, than an error put up with: what
    /// was seen elsewhere speaks for the outcome.
    Likely { flake: f64, false_pass: f64, error: f64 },
    /// So many runs: what bisection takes for an outcome.
    Reruns(u32),
}

impl Patience {
    pub(crate) fn of(rates: &Rates, confidence: f64) -> Self {
        let (flake, false_pass) = rates.worst();
        Patience::Likely { flake, false_pass, error: FAR_LESS * (1.0 - confidence) }
    }

    /// Whether runs without the outcome are enough to give it up.
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

/// How much less likely than an error that is put up with.
const FAR_LESS: f64 = 0.1;

/// An outcome that was not seen, and without which nobody is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) node: Node,
    pub(crate) outcome: Outcome,
}

/// What is missing before a revision is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unproven {
    /// A failure of the revision, and a pass of each parent, as far as they were not seen. Empty if it has no parent:
    /// then there is nothing that could pass before it.
    pub(crate) missing: Vec<Missing>,
    /// Those of them that can be had: where to run next. Empty if there is none, which is an end.
    pub(crate) due: Vec<Node>,
}

/// What a search may conclude from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guard<'a> {
    pub(crate) seen: &'a Seen,
    pub(crate) patience: Patience,
}

impl Guard<'_> {
    /// What is missing before `culprit` is named; `None` if nothing is.
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
        // One failure may be a flake; two are too many for flakes of 10 %.
        seen.add(b, tally(0, 1));
        assert_eq!(due(&seen), Some(vec![b]));
        seen.add(b, tally(0, 1));
        let missing = vec![Missing { node: b, outcome: Outcome::Pass }];
        assert_eq!(unproven(&graph, m, &seen, PATIENCE), Some(Unproven { missing, due: vec![] }));
        seen.add(b, tally(1, 0));
        assert_eq!(due(&seen), None);
    }

    #[test]
    fn what_cannot_be_tested_is_not_waited_for_and_not_taken_to_pass() {
        let (graph, [_, a, b, m]) = merge();
        let mut seen = Seen::default();
        seen.add(m, tally(0, 1));
        seen.add(a, tally(1, 0));
        seen.add(b, tally(0, 0));
        let missing = vec![Missing { node: b, outcome: Outcome::Pass }];
        assert_eq!(unproven(&graph, m, &seen, PATIENCE), Some(Unproven { missing, due: vec![] }));
    }

    #[test]
    fn before_a_root_nothing_passes() {
        let (graph, [r, ..]) = merge();
        let mut seen = Seen::default();
        seen.add(r, tally(0, 9));
        assert_eq!(unproven(&graph, r, &seen, PATIENCE), Some(Unproven { missing: vec![], due: vec![] }));
    }
}
