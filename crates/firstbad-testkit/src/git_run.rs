//! Complete runs of Git's bisection, and strategies of careful users.

use std::collections::HashMap;

use firstbad::graph::Node;
use firstbad::{CommitGraph, Outcome};

use crate::git_bisect::{GitBisect, Step};

/// Outcomes that each cost one run.
#[derive(Debug, Clone)]
pub struct Cache<'o> {
    outcomes: &'o [Outcome],
    known: HashMap<Node, Outcome>,
    asked: Vec<Node>,
}

impl<'o> Cache<'o> {
    /// Creates a cache over all outcomes. The endpoints are known.
    #[must_use]
    pub fn new(outcomes: &'o [Outcome], bad: &[Node], good: &[Node]) -> Self {
        let known = bad.iter().map(|&b| (b, Outcome::Fail)).chain(good.iter().map(|&g| (g, Outcome::Pass)));
        Cache { outcomes, known: known.collect(), asked: Vec::new() }
    }

    /// Returns the outcome of a revision, and records a run if it is not known.
    pub fn ask(&mut self, revision: Node) -> Outcome {
        let outcome = self.outcomes[revision as usize];
        *self.known.entry(revision).or_insert_with(|| {
            self.asked.push(revision);
            outcome
        })
    }

    /// Returns the tested revisions in order.
    #[must_use]
    pub fn asked(&self) -> &[Node] {
        &self.asked
    }

    /// Returns the good endpoints and the revisions that passed.
    fn passing(&self) -> impl Iterator<Item = Node> + '_ {
        self.known.iter().filter(|(_, outcome)| **outcome == Outcome::Pass).map(|(&node, _)| node)
    }
}

/// Runs `git bisect run` from start to end.
pub fn bisect(graph: &CommitGraph, bad: Node, good: &[Node], cache: &mut Cache<'_>) -> Step {
    let mut bisection = GitBisect::new(graph, bad, good);
    loop {
        match bisection.step() {
            Step::Test(revision) => bisection.tell(revision, cache.ask(revision)),
            end => return end,
        }
    }
}

/// Bisects like a user who wants a clean result: when Git names a revision, tests all of its parents. If a parent fails, bisects
/// again from there, with its passing ancestors as good revisions. Ignores a failing parent without a passing ancestor, because
/// Git cannot bisect there.
pub fn bisect_checking_parents(graph: &CommitGraph, bad: Node, good: &[Node], cache: &mut Cache<'_>) -> Step {
    let mut end = bisect(graph, bad, good, cache);
    while let Some(answer) = end.answer() {
        let failing: Vec<Node> =
            graph.parents(answer).iter().copied().filter(|&parent| cache.ask(parent) == Outcome::Fail).collect();
        let next = failing.into_iter().find_map(|parent| {
            let above = graph.ancestors(&[parent]);
            let mut known: Vec<Node> = cache.passing().filter(|&node| above.contains(node as usize)).collect();
            known.sort_unstable();
            (!known.is_empty()).then_some((parent, known))
        });
        let Some((parent, known)) = next else { break };
        end = bisect(graph, parent, &known, cache);
    }
    end
}
