//! decided and intermittent
use super::evidence::{Evidence, Facts, Pasts};
use super::past::Past;
use super::rule::{Belief, LITTLE};
use crate::graph::{CommitGraph, Node};

/// The most results of a test without an answer, and the most runs in vain.
pub(super) const MOST_RUNS: u32 = 40;
/// The most runs without a result at the bad revision.
const MOST_ATTEMPTS: u32 = 3;

/// The state of a test.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decision {
    /// More runs are needed. If some are named, these.
    Open(Vec<Node>),
    /// The suspect at this place broke the test.
    Broken(usize),
    /// No revision separates these suspects.
    BrokenIn(Vec<usize>),
    Flaky,
    Environment,
    Infra,
    Undecided,
}

/// Everything that a decision about a test depends on.
pub(super) struct Case<'a> {
    pub(super) graph: &'a CommitGraph,
    pub(super) past: &'a Past,
    pub(super) belief: &'a Belief,
    pub(super) evidence: &'a Evidence,
    pub(super) bad: Node,
    pub(super) good: Node,
    pub(super) confidence: f64,
    pub(super) red_tonight: bool,
    pub(super) is_new: bool,
    /// Whether two other tests already name a suspect.
    pub(super) is_shared: &'a dyn Fn(usize) -> bool,
    /// Whether the test cannot have a result at a revision.
    pub(super) is_unresolved: &'a dyn Fn(Node) -> bool,
}

impl Case<'_> {
    pub(super) fn decide(&self) -> Decision {
        let Case { belief, evidence, bad, good, confidence, .. } = *self;
        if evidence.results > MOST_RUNS || evidence.fruitless > MOST_RUNS {
            return Decision::Undecided;
        }
        if evidence.is_unresolved(bad) {
            let is_lost = evidence.missing(bad) >= MOST_ATTEMPTS;
            return if is_lost { Decision::Infra } else { Decision::Open(vec![bad]) };
        }
        if belief.environment >= confidence && !(self.is_unresolved)(good) {
            let fails = evidence.at(good).fails > 0;
            return if fails { Decision::Environment } else { Decision::Open(vec![good]) };
        }
        if belief.flaky >= confidence {
            return if self.passed_where_it_failed() { Decision::Flaky } else { Decision::Open(vec![bad]) };
        }
        let named = belief.likeliest.filter(|&place| {
            let less = confidence - (2.0 * (1.0 - confidence)).min(0.05);
            belief.culprit[place] >= if (self.is_shared)(place) { less } else { confidence }
        });
        if let Some(place) = named {
            return self.proven(place);
        }
        let no_culprit = belief.flaky + belief.environment;
        match belief.gains(self.past).best < LITTLE * (1.0 - confidence) {
            false => Decision::Open(Vec::new()),
            true if no_culprit < 0.1 => Decision::BrokenIn(self.credible()),
            true => Decision::Undecided,
        }
    }

    fn passed_where_it_failed(&self) -> bool {
        let red = |node: Node| self.red_tonight && node == self.bad;
        self.evidence.runs().any(|(node, runs)| runs.passes > 0 && (runs.fails > 0 || red(node)))
    }

    /// Requires a failure at the suspect and a pass at every parent.
    fn proven(&self, place: usize) -> Decision {
        let culprit = self.past.node(place);
        let parents = self.graph.parents(culprit);
        let before: &[Node] = if parents.is_empty() { std::slice::from_ref(&self.good) } else { parents };
        let has_passed = |node: Node| {
            self.evidence.at(node).passes > 0 || (self.is_new && self.evidence.is_unresolved(node))
        };
        let mut missing: Vec<Node> = before.iter().copied().filter(|&node| !has_passed(node)).collect();
        missing.extend(Some(culprit).filter(|&node| self.evidence.at(node).fails == 0));
        if missing.is_empty() {
            return Decision::Broken(place);
        }
        let (never, due): (Vec<Node>, Vec<Node>) = missing.into_iter().partition(|&node| (self.is_unresolved)(node));
        if !due.is_empty() {
            return Decision::Open(due);
        }
        let mut candidates = self.credible();
        candidates.extend(never.into_iter().filter_map(|node| self.past.place(node)).chain([place]));
        candidates.sort_unstable();
        candidates.dedup();
        Decision::BrokenIn(candidates)
    }

    /// Returns the smallest set of suspects with the confidence, by place.
    fn credible(&self) -> Vec<usize> {
        let belief = self.belief;
        credible(belief, self.confidence * (1.0 - belief.flaky - belief.environment))
    }
}

/// Returns the smallest set of suspects with this probability, by place.
pub(super) fn credible(belief: &Belief, probability: f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..belief.culprit.len()).collect();
    order.sort_by(|&one, &other| belief.culprit[other].total_cmp(&belief.culprit[one]));
    let mut sum = 0.0;
    let mut places: Vec<usize> = order
        .into_iter()
        .take_while(|&place| {
            let is_short = sum < probability;
            sum += belief.culprit[place];
            is_short
        })
        .collect();
    places.sort_unstable();
    places
}

/// Returns the facts for the belief, and the failures that are left out because the test passed after them. After two passes and
/// no failure at w, failures at ancestors of w leave the belief.
pub(super) fn facts(
    (evidence, past, pasts): (&Evidence, &Past, &Pasts),
    (bad, red_tonight, green_last, is_new): (Node, bool, bool, bool),
    untestable: &[Node],
) -> (Facts, Vec<Node>) {
    let is_before = |node: Node, later: Node| node != later && past.place(node).is_some_and(|place| pasts.holds(later, place));
    let fails = |node: Node| evidence.at(node).fails > 0 && evidence.at(node).passes == 0;
    let comes_back = |&(node, runs): &(Node, crate::belief::RunCounts)| {
        runs.passes >= 2 && runs.fails == 0 && evidence.runs().any(|(older, _)| fails(older) && is_before(older, node))
    };
    let repaired: Vec<Node> = evidence.runs().filter(comes_back).map(|(node, _)| node).collect();
    let is_older = |node: Node| node != bad && repaired.iter().any(|&later| is_before(node, later));
    let mut older = Vec::new();
    let mut runs = Vec::new();
    for (node, counts) in evidence.runs() {
        let leaves = counts.fails > 0 && is_older(node);
        older.extend(Some(node).filter(|_| leaves));
        let fails = if leaves { 0 } else { counts.fails };
        if counts.passes + fails > 0 {
            runs.push((node, counts.passes, fails));
        }
    }
    // A new test does not fail where it does not exist yet.
    let absent = evidence.unresolved().filter(|&node| is_new && node != bad);
    runs.extend(absent.map(|node| (node, evidence.missing(node), 0)));
    runs.sort_unstable();
    let silent = evidence.unresolved().filter(|_| !is_new).chain(untestable.iter().copied());
    let mut unresolved: Vec<u32> = silent.filter_map(|node| Some(past.place(node)? as u32)).collect();
    unresolved.sort_unstable();
    unresolved.dedup();
    (Facts { red_tonight, green_last, runs, unresolved }, older)
}
