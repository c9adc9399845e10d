//! Whole runs of git's bisection, and what a careful user makes of them.

use std::collections::HashMap;

use firstbad::graph::Node;
use firstbad::{CommitGraph, Outcome};

use crate::git_bisect::{GitBisect, Step};

/// Outcomes that are paid for once each.
#[derive(Debug, Clone)]
pub struct Cache<'o> {
    outcomes: &'o [Outcome],
    known: HashMap<Node, Outcome>,
    asked: Vec<Node>,
}

impl<'o> Cache<'o> {
    /// A cache over all outcomes; the given ends are known.
    #[must_use]
    pub fn new(outcomes: &'o [Outcome], bad: &[Node], good: &[Node]) -> Self {
        let known = bad.iter().map(|&b| (b, Outcome::Fail)).chain(good.iter().map(|&g| (g, Outcome::Pass)));
        Cache { outcomes, known: known.collect(), asked: Vec::new() }
    }

    /// The outcome at a revision; asks where it is not known.
    pub fn ask(&mut self, revision: Node) -> Outcome {
        let outcome = self.outcomes[revision as usize];
        *self.known.entry(revision).or_insert_with(|| {
            self.asked.push(revision);
            outcome
        })
    }

    /// What was asked, in order.
    #[must_use]
    pub fn asked(&self) -> &[Node] {
        &self.asked
    }

    /// The given good ones and what was seen to pass.
    fn passing(&self) -> impl Iterator<Item = Node> + '_ {
        self.known.iter().filter(|(_, outcome)| **outcome == Outcome::Pass).map(|(&node, _)| node)
    }
}

/// `git bisect run` from start to end.
pub fn bisect(graph: &CommitGraph, bad: Node, good: &[Node], cache: &mut Cache<'_>) -> Step {
    let mut bisection = GitBisect::new(graph, bad, good);
    loop {
        match bisection.step() {
            Step::Test(revision) => bisection.tell(revision, cache.ask(revision)),
            end => return end,
        }
    }
}

/// What a careful user of git does for a clean answer: when git names a revision, tests all its parents; where one
/// fails, bisects again from there, with those of its ancestors as good ones that were seen to pass. A failing
/// parent without any such ancestor is left alone: git has nothing to bisect there.
pub fn bisect_checking_parents(graph: &CommitGraph, bad: Node, good: &[Node], cache: &mut Cache<'_>) -> Step {
    checking_parents(graph, bad, good, cache, false)
}

/// The same by somebody who follows every failing parent: one without a passing ancestor is bisected with no good
/// end, among all its ancestors. It can cost hundreds of tests where a whole side of the history fails.
pub fn bisect_following_parents(graph: &CommitGraph, bad: Node, good: &[Node], cache: &mut Cache<'_>) -> Step {
    checking_parents(graph, bad, good, cache, true)
}

fn checking_parents(graph: &CommitGraph, bad: Node, good: &[Node], cache: &mut Cache<'_>, all: bool) -> Step {
    let mut end = bisect(graph, bad, good, cache);
    while let Some(answer) = end.answer() {
        let failing: Vec<Node> =
            graph.parents(answer).iter().copied().filter(|&parent| cache.ask(parent) == Outcome::Fail).collect();
        let next = failing.into_iter().find_map(|parent| {
            let above = graph.ancestors(&[parent]);
            let mut known: Vec<Node> = cache.passing().filter(|&node| above.contains(node as usize)).collect();
            known.sort_unstable();
            (all || !known.is_empty()).then_some((parent, known))
        });
        let Some((parent, known)) = next else { break };
        end = bisect(graph, parent, &known, cache);
    }
    end
}
