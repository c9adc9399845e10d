//! The rule of a triage: which revision to build next, and which tests to run there.
//!
//! ```text
//!     P_t     for each test t: (culprit c | flaky | environment) x rates
//!             flake rate f, false-pass rate g; flaky .20, environment .04, the rest by prior weights
//!             failure at v: 1 - g if c is in the past of v, else f; flaky f; environment .98
//!     prior   P_t(c) ~ 2/n + 50 for each decided test of the same signature at c (1 without signatures)
//!     G_t(v)  = h2(p_fail) - sum over {past of v, outside, flaky, environment} of P(side) h2(P(fail | side))
//!     w_t     = 1 for the leader of a signature, the open test with the most certain culprit; .001 for its followers
//!             without signatures: 1 for the most certain test, 1 - .8 min(1, c_test / c_build) for the others
//!     v, S    = argmax  sum_{t in S} w_t G_t(v) / (c_build(v) + sum_{t in S} c_test)
//! ```
//!
//! - In flight: the gain is that of v given the splits that are asked and not answered. A gain below .05 waits for them.
//! - Decided: `max P_t(c) >= confidence`, a failure seen at c, and a pass at every parent. Missing runs have gain 1.
//! - Intermittent: after two passes and no failure at w, failures at ancestors of w leave the belief.
//!
//! [`Belief`] contains P_t and G_t. Tests with equal facts share one.

use hashbrown::HashSet;

use super::belief::{Belief, credible};
use super::classes::{Class, Open, classes};
use super::evidence::{Evidence, Pasts};
use super::rates::{ENVIRONMENT, FLAKY};
use crate::belief::RunCounts;
use crate::graph::Past;
use crate::graph::{CommitGraph, Node};

/// The prior weight of all suspects together, and of each decided test.
const SUSPECTS: f64 = 2.0;
const SAME_SIGNATURE: f64 = 50.0;
const NO_SIGNATURES: f64 = 1.0;
/// The weight of the followers of a signature, and the part of the weight that a waiting test loses without signatures.
const FOLLOWS: f64 = 0.001;
const WAITS: f64 = 0.8;
/// A probe with less gain waits while another one is in flight.
const WAIT_BELOW: f64 = 0.05;
/// If no revision has this gain for each unit of missing confidence, none tells the hypotheses apart.
const LITTLE: f64 = 0.2;
/// The part of the missing confidence that a culprit may use up. The rates of real tests are not those of the belief.
const MARGIN: f64 = 0.8;
/// The most results of a test without an answer, and the most runs in vain.
const MOST_RUNS: u32 = 40;
/// The most runs without a failure at the bad revision.
pub(super) const MOST_ATTEMPTS: u32 = 3;

/// The decided tests that raise the prior of suspects, as places with counts. They have the same signature, or there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Decided {
    pub(super) by_signature: bool,
    pub(super) at: Vec<(u32, u32)>,
}

/// Returns the prior P_t(c) by place. `shares` are the prior weights with sum 1.
pub(super) fn prior(shares: &[f64], decided: &Decided) -> Vec<f64> {
    let each = if decided.by_signature { SAME_SIGNATURE } else { NO_SIGNATURES };
    let mut prior: Vec<f64> = shares.iter().map(|share| SUSPECTS * share).collect();
    decided.at.iter().for_each(|&(place, tests)| prior[place as usize] += each * f64::from(tests));
    let scale = (1.0 - FLAKY - ENVIRONMENT) / prior.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    prior.into_iter().map(|weight| weight * scale).collect()
}

/// The costs of a probe.
pub(super) struct Costs<'a> {
    /// c_build(v).
    pub(super) build: &'a dyn Fn(Node) -> f64,
    /// The cost of a build that is not kept.
    pub(super) full_build: f64,
    /// c_test.
    pub(super) test: f64,
    /// The most tests of one probe.
    pub(super) batch: usize,
}

/// Returns w_t for every open test.
fn weights(open: &[Open], by_signature: bool, costs: &Costs<'_>) -> Vec<f64> {
    let waits =
        if by_signature { FOLLOWS } else { 1.0 - WAITS * (costs.test / costs.full_build.max(costs.test)).min(1.0) };
    let mut by_certainty: Vec<usize> = (0..open.len()).collect();
    by_certainty.sort_by(|&one, &other| open[other].belief.certainty().total_cmp(&open[one].belief.certainty()));
    let mut led: HashSet<Option<u32>> = HashSet::new();
    let mut weights = vec![1.0; open.len()];
    for place in by_certainty {
        let is_alone = by_signature && open[place].group.is_none();
        let is_leader = is_alone || led.insert(open[place].group.filter(|_| by_signature));
        weights[place] = if is_leader { 1.0 } else { waits };
    }
    weights
}

/// Returns v and S, or `None` if nothing is worth a probe now. `good` is the revision after the last suspect in lists of gains.
pub(super) fn choose(
    (past, pasts, good): (&Past, &Pasts, Node),
    (open, by_signature): (&[Open], bool),
    costs: &Costs<'_>,
) -> Option<(Node, Vec<usize>)> {
    let (mut due, classes) = classes((past, pasts), open, &weights(open, by_signature, costs));
    let others = due.keys().copied().filter(|&node| node != good && past.place(node).is_none());
    let columns = (0..past.len()).map(|place| (past.node(place), Some(place))).chain([(good, Some(past.len()))]);
    let mut best: Option<(f64, Node, Vec<&Class<'_>>)> = None;
    for (node, column) in columns.chain(others.map(|node| (node, None))) {
        let first = due.get(&node).map_or(0, Vec::len).min(costs.batch);
        let (mut sum, mut cost) = (first as f64, (costs.build)(node) + costs.test * first as f64);
        let most = sum + classes.iter().map(|class| class.all_at(column)).sum::<f64>();
        let reached = best.as_ref().map_or(0.0, |best| best.0);
        let least = if first > 0 { cost } else { cost + costs.test };
        if most <= reached * least || most <= 0.0 {
            continue;
        }
        let mut at: Vec<(f64, &Class<'_>)> = classes.iter().filter_map(|class| class.at(column)).collect();
        at.sort_by(|one, other| other.0.total_cmp(&one.0));
        let (mut taken, mut left) = (Vec::new(), costs.batch - first);
        // A test joins if it raises the ratio. Tests of one class do so together.
        for (gain, class) in at {
            let count = class.tests.len().min(left) as f64;
            if count == 0.0 || (sum > 0.0 && gain * cost <= sum * costs.test) {
                break;
            }
            (sum, cost, left) = (sum + gain * count, cost + costs.test * count, left - count as usize);
            taken.push(class);
        }
        if sum > reached * cost {
            best = Some((sum / cost, node, taken));
        }
    }
    let (_, node, classes) = best?;
    let due = due.remove(&node).unwrap_or_default();
    let is_busy = open.iter().any(|one| !one.flying.is_empty());
    if is_busy && due.is_empty() && classes.first().is_none_or(|class| class.best < WAIT_BELOW) {
        return None;
    }
    let tests = due.into_iter().chain(classes.into_iter().flat_map(|class| class.tests.iter().copied()));
    Some((node, tests.take(costs.batch).collect()))
}

/// The state of a test. Suspects are given by place.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decision {
    /// More runs are needed: those at the listed revisions, or any without a list.
    Open(Vec<Node>),
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
        match self.by_belief() {
            Decision::Open(_) if self.evidence.results > MOST_RUNS => Decision::Undecided,
            Decision::Open(_) if self.evidence.fruitless > MOST_RUNS => self.inseparable(),
            decision => decision,
        }
    }

    fn by_belief(&self) -> Decision {
        let Case { belief, evidence, bad, good, confidence, .. } = *self;
        if evidence.is_unresolved(bad) {
            let is_lost = evidence.missing(bad) >= MOST_ATTEMPTS;
            return if is_lost { Decision::Infra } else { Decision::Open(vec![bad]) };
        }
        if belief.environment >= confidence && !(self.is_unresolved)(good) {
            let fails = evidence.at(good).fails > 0;
            return if fails { Decision::Environment } else { Decision::Open(vec![good]) };
        }
        if belief.flaky >= confidence {
            let red = |node: Node, runs: RunCounts| runs.fails > 0 || (self.red_tonight && node == bad);
            let passed_where_red = evidence.runs().any(|(node, runs)| runs.passes > 0 && red(node, runs));
            return if passed_where_red { Decision::Flaky } else { Decision::Open(vec![bad]) };
        }
        let alone = 1.0 - MARGIN * (1.0 - confidence);
        let enough = |place: usize| if (self.is_shared)(place) { shared(confidence) } else { alone };
        if let Some(place) = belief.likeliest.filter(|&place| belief.culprit[place] >= enough(place)) {
            return self.proven(place);
        }
        let is_little = belief.gains(self.past).best < LITTLE * (1.0 - confidence);
        if is_little { self.inseparable() } else { Decision::Open(Vec::new()) }
    }

    fn inseparable(&self) -> Decision {
        let no_culprit = self.belief.flaky + self.belief.environment;
        let suspects = credible(self.belief, self.confidence);
        if no_culprit < 0.1 && !suspects.is_empty() { Decision::BrokenIn(suspects) } else { Decision::Undecided }
    }

    /// Requires a failure at the bad revision and at the suspect, and a pass at every parent.
    fn proven(&self, place: usize) -> Decision {
        let at_bad = self.evidence.at(self.bad);
        if at_bad.fails == 0 {
            // The culprit of a failure that is not there would be an innocent commit.
            return if at_bad.passes >= MOST_ATTEMPTS { Decision::Flaky } else { Decision::Open(vec![self.bad]) };
        }
        let culprit = self.past.node(place);
        let parents = self.graph.parents(culprit);
        let before: &[Node] = if parents.is_empty() { std::slice::from_ref(&self.good) } else { parents };
        let is_new_at = |node: Node| self.is_new && self.evidence.is_unresolved(node);
        let mut missing: Vec<Node> = before.to_vec();
        missing.retain(|&node| self.evidence.at(node).passes == 0 && !is_new_at(node));
        missing.extend(Some(culprit).filter(|&node| self.evidence.at(node).fails == 0));
        if missing.is_empty() {
            return Decision::Broken(place);
        }
        let (never, due): (Vec<Node>, Vec<Node>) = missing.into_iter().partition(|&node| (self.is_unresolved)(node));
        if !due.is_empty() {
            return Decision::Open(due);
        }
        let mut suspects = credible(self.belief, self.confidence);
        suspects.extend(never.into_iter().filter_map(|node| self.past.place(node)).chain([place]));
        suspects.sort_unstable();
        suspects.dedup();
        Decision::BrokenIn(suspects)
    }
}

/// Returns the confidence for a suspect that two tests already name: .90 for .95, and .97 or more for .99.
fn shared(confidence: f64) -> f64 {
    confidence - (2.0 * (1.0 - confidence)).min(0.05)
}
