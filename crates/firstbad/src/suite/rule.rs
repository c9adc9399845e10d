//! The rule of a triage: which revision to build next, and which tests to run there.
//!
//! ```text
//!     P_t     for each test t: (culprit c | flaky | environment) x rates
//!             flake rate f, false-pass rate g; flaky .20, environment .04, the rest by prior weights
//!             failure at v: 1 - g if c is in the past of v, else f; flaky f; environment .98
//!     G_t(v)  = h2(p_fail) - sum over {past of v, outside, flaky, environment} of P(side) h2(P(fail | side))
//!     w_t     = 1 for the leader of a signature, the open test with the most certain culprit; .001 for its followers
//!             without signatures: 1 for the most certain test, 1 - .8 min(1, c_test / c_build) for the others
//!     v, S    = argmax  sum_{t in S} w_t G_t(v) / (c_build(v) + sum_{t in S} c_test)
//!     prior   P_t(c) ~ 2/n + 50 for each decided test of the same signature at c (1 without signatures)
//! ```
//!
//! - Decided: `max P_t(c) >= confidence`, a failure seen at c, and a pass at every parent. Missing runs have gain 1.
//! - In flight: the gain is that of v given the splits that are asked and not answered. A gain below .05 waits for them.
//! - Intermittent: after two passes and no failure at w, failures at ancestors of w leave the belief.
//!
//! Tests with equal facts share one belief.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use hashbrown::{HashMap, HashSet};

use super::evidence::{Facts, Pasts};
use super::likelihood::Cells;
use super::past::Past;
use crate::belief::entropy;
use crate::graph::Node;

/// The flake rates with their prior probabilities, and those of a flaky test that failed last night.
pub(super) const FLAKE: [(f64, f64, f64); 4] = [(0.002, 0.86, 0.02), (0.05, 0.05, 0.2), (0.2, 0.05, 0.4), (0.5, 0.04, 0.38)];
/// The rates of false passes with their prior probabilities.
pub(super) const FALSE_PASS: [(f64, f64); 2] = [(0.002, 0.96), (0.2, 0.04)];
/// The prior probability of a flaky test, and of a test that fails everywhere on this machine.
const FLAKY: f64 = 0.2;
const ENVIRONMENT: f64 = 0.04;
/// The probability that a test fails in an environment that breaks it.
pub(super) const ENVIRONMENT_FAILS: f64 = 0.98;
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
pub(super) const LITTLE: f64 = 0.4;
/// The share of the cost of a build that a kept build costs.
pub(super) const KEPT: f64 = 0.05;
/// Smaller gains count as none.
const NOTHING: f64 = 1e-6;
/// The number of splits in flight that a gain takes into account.
const MOST_SPLITS: usize = 4;

/// The decided tests that raise the prior of suspects, as places with counts. They have the same signature, or there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Decided {
    pub(super) by_signature: bool,
    pub(super) at: Vec<(u32, u32)>,
}

/// The belief about a test, P_t.
pub(super) struct Belief {
    /// The probability of each suspect, by place.
    pub(super) culprit: Vec<f64>,
    pub(super) flaky: f64,
    pub(super) environment: f64,
    /// The most probable suspect, or `None` without suspects.
    pub(super) likeliest: Option<usize>,
    /// P(culprit) P(fail | in the past), and P(culprit) P(fail | outside), by place.
    fails: Vec<[f64; 2]>,
    flaky_fails: f64,
    unresolved: Vec<u32>,
    gains: OnceLock<Gains>,
}

/// The gain of a run at each suspect by place, then at the good revision, G_t(v).
pub(super) struct Gains {
    pub(super) at: Vec<f64>,
    pub(super) best: f64,
}

impl Belief {
    /// Weighs the hypotheses. `prior` has sum 1.
    pub(super) fn new(past: &Past, pasts: &Pasts, facts: &Facts, prior: &[f64], decided: &Decided) -> Self {
        let cells = Cells::new(past, pasts, facts);
        let unit = if decided.by_signature { SAME_SIGNATURE } else { NO_SIGNATURES };
        let mut weights: Vec<f64> = prior.iter().map(|share| SUSPECTS * share).collect();
        decided.at.iter().for_each(|&(place, tests)| weights[place as usize] += unit * f64::from(tests));
        let all: f64 = weights.iter().sum();
        let scale = (1.0 - FLAKY - ENVIRONMENT) / all.max(f64::MIN_POSITIVE);
        // The log-likelihoods of tests without a culprit.
        let flaky: Vec<f64> = FLAKE.iter().map(|&(f, _, red)| (FLAKY * red).ln() + cells.none(f)).collect();
        let environment = ENVIRONMENT.ln() + cells.environment;
        let top = flaky.iter().copied().fold(cells.top().max(environment), f64::max);
        let shares = cells.shares(top);
        let raw = |place: usize| weights[place] * scale * shares[cells.of[place] as usize][0];
        let flaky: Vec<f64> = flaky.into_iter().map(|log| (log - top).exp()).collect();
        let environment = (environment - top).exp();
        let total = (0..past.len()).map(raw).sum::<f64>() + flaky.iter().sum::<f64>() + environment;
        let total = total.max(f64::MIN_POSITIVE);
        let culprit: Vec<f64> = (0..past.len()).map(|place| raw(place) / total).collect();
        let of = |place: usize| weights[place] * scale / total;
        let fails = (0..past.len()).map(|place| {
            let [_, inside, outside] = shares[cells.of[place] as usize];
            [of(place) * inside, of(place) * outside]
        });
        Belief {
            fails: fails.collect(),
            likeliest: (0..past.len()).reduce(|best, next| if culprit[next] > culprit[best] { next } else { best }),
            flaky_fails: FLAKE.iter().zip(&flaky).map(|((f, ..), share)| f * share / total).sum(),
            flaky: flaky.iter().sum::<f64>() / total,
            environment: environment / total,
            culprit,
            unresolved: facts.unresolved.clone(),
            gains: OnceLock::new(),
        }
    }

    /// Returns the probability of the most probable suspect, or 0.
    pub(super) fn certainty(&self) -> f64 {
        self.likeliest.map_or(0.0, |place| self.culprit[place])
    }

    /// Returns G_t(v) for every v.
    pub(super) fn gains(&self, past: &Past) -> &Gains {
        self.gains.get_or_init(|| {
            let weights: Vec<[f64; 3]> =
                self.culprit.iter().zip(&self.fails).map(|(&share, &[inside, outside])| [share, inside, outside]).collect();
            let sums = past.sums(&weights);
            let all = weights.iter().fold([0.0; 3], |sum, one| [0, 1, 2].map(|lane: usize| sum[lane] + one[lane]));
            let mut at: Vec<f64> = Vec::with_capacity(past.len() + 1);
            for (place, sum) in sums.iter().enumerate() {
                // Most of the probability is in few places, so most suspects split it as their parent does.
                let same = past.base(place).filter(|&base| sum.iter().zip(&sums[base]).all(|(one, other)| one - other < 1e-9));
                at.push(same.map_or_else(|| self.gain(*sum, all), |base| at[base]));
            }
            at.push(self.gain([0.0; 3], all));
            self.unresolved.iter().for_each(|&place| at[place as usize] = 0.0);
            let best = at.iter().copied().fold(0.0, f64::max);
            Gains { at, best }
        })
    }

    /// Returns the information of a run whose past holds the sums `inside` of `all`.
    fn gain(&self, inside: [f64; 3], all: [f64; 3]) -> f64 {
        let sides = [
            (inside[0], inside[1]),
            ((all[0] - inside[0]).max(0.0), (all[2] - inside[2]).max(0.0)),
            (self.flaky, self.flaky_fails),
            (self.environment, self.environment * ENVIRONMENT_FAILS),
        ];
        let h2 = |share: f64| entropy(share.clamp(0.0, 1.0));
        let known: f64 = sides.iter().filter(|side| side.0 > 1e-12).map(|&(share, fails)| share * h2(fails / share)).sum();
        (h2(sides.iter().map(|side| side.1).sum()) - known).max(0.0)
    }

    /// Returns the gains given the splits of the probes in flight, whose outcomes are not known yet.
    fn gains_beside(&self, past: &Past, pasts: &Pasts, flying: &[Node]) -> Vec<f64> {
        const CODES: usize = 1 << (MOST_SPLITS - 1);
        let mut gains = self.gains(past).at.clone();
        gains[past.len()] = 0.0;
        if flying.len() >= MOST_SPLITS {
            gains.fill(0.0);
            return gains;
        }
        let code = |place: usize| flying.iter().fold(0, |code, &node| 2 * code + usize::from(pasts.holds(node, place)));
        let split = |(place, &share): (usize, &f64)| {
            let code = code(place);
            std::array::from_fn(|lane| if lane == code { share } else { 0.0 })
        };
        let weights: Vec<[f64; CODES]> = self.culprit.iter().enumerate().map(split).collect();
        let all = weights.iter().fold([0.0; CODES], |sum, one| std::array::from_fn(|lane| sum[lane] + one[lane]));
        for (gain, sum) in gains.iter_mut().zip(past.sums(&weights)) {
            let parts = sum.iter().zip(&all).filter(|(_, all)| **all > 1e-9);
            *gain = gain.min(parts.map(|(part, all)| all * entropy((part / all).clamp(0.0, 1.0))).sum());
        }
        flying.iter().filter_map(|&node| past.place(node)).for_each(|place| gains[place] = 0.0);
        gains
    }
}

/// An open test.
pub(super) struct Open {
    pub(super) test: usize,
    pub(super) belief: Arc<Belief>,
    /// The group of its signature, or `None` without one.
    pub(super) group: Option<u32>,
    /// The runs without which it cannot be decided.
    pub(super) due: Vec<Node>,
    /// Its probes in flight.
    pub(super) flying: Vec<Node>,
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
    let mut order: Vec<usize> = (0..open.len()).collect();
    order.sort_by(|&one, &other| open[other].belief.certainty().total_cmp(&open[one].belief.certainty()));
    let waits = if by_signature { FOLLOWS } else { 1.0 - WAITS * (costs.test / costs.full_build.max(costs.test)) };
    let mut led: HashSet<Option<u32>> = HashSet::new();
    let mut weights = vec![1.0; open.len()];
    for place in order {
        let is_alone = by_signature && open[place].group.is_none();
        if !is_alone && !led.insert(open[place].group.filter(|_| by_signature)) {
            weights[place] = waits;
        }
    }
    weights
}

/// Tests with the same gains and the same weight.
struct Class<'a> {
    weight: f64,
    gains: Rc<Cow<'a, [f64]>>,
    best: f64,
    tests: Vec<usize>,
}

/// Returns v and S, or `None` if nothing is worth a probe now. `good` is the revision after the last suspect in lists of gains.
pub(super) fn choose(
    (past, pasts, good): (&Past, &Pasts, Node),
    (open, by_signature): (&[Open], bool),
    costs: &Costs<'_>,
) -> Option<(Node, Vec<usize>)> {
    let mut due: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
    let mut gains: HashMap<(*const Belief, &[Node]), Rc<Cow<'_, [f64]>>> = HashMap::new();
    let mut places: HashMap<(*const Belief, &[Node], u64), usize> = HashMap::new();
    let mut classes: Vec<Class<'_>> = Vec::new();
    for (one, weight) in open.iter().zip(weights(open, by_signature, costs)) {
        if !one.due.is_empty() {
            let missing = one.due.iter().filter(|node| !one.flying.contains(node));
            missing.for_each(|&node| due.entry(node).or_default().push(one.test));
            continue;
        }
        let (belief, flying) = (Arc::as_ptr(&one.belief), &one.flying[..]);
        let place = *places.entry((belief, flying, weight.to_bits())).or_insert_with(|| {
            let gains = gains.entry((belief, flying)).or_insert_with(|| {
                Rc::new(match flying {
                    [] => Cow::Borrowed(&one.belief.gains(past).at[..]),
                    _ => Cow::Owned(one.belief.gains_beside(past, pasts, flying)),
                })
            });
            let best = one.belief.gains(past).best;
            classes.push(Class { weight, gains: Rc::clone(gains), best, tests: Vec::new() });
            classes.len() - 1
        });
        classes[place].tests.push(one.test);
    }
    let others = due.keys().copied().filter(|&node| node != good && past.place(node).is_none());
    let columns = (0..past.len()).map(|place| (past.node(place), Some(place))).chain([(good, Some(past.len()))]);
    let mut best: Option<(f64, Node, Vec<&Class<'_>>)> = None;
    for (node, column) in columns.chain(others.map(|node| (node, None))) {
        let gain = |class: &Class<'_>| column.map_or(0.0, |column| class.weight * class.gains[column]);
        let mut at: Vec<(f64, &Class<'_>)> =
            classes.iter().map(|class| (gain(class), class)).filter(|(gain, _)| *gain > NOTHING).collect();
        let first = due.get(&node).map_or(0, Vec::len).min(costs.batch);
        let (mut sum, mut cost) = (first as f64, (costs.build)(node) + costs.test * first as f64);
        let most = sum + at.iter().map(|(gain, class)| gain * class.tests.len() as f64).sum::<f64>();
        let reached = best.as_ref().map_or(0.0, |best| best.0);
        if most <= 0.0 || most / (cost + if first > 0 { 0.0 } else { costs.test }) <= reached {
            continue;
        }
        at.sort_by(|one, other| other.0.total_cmp(&one.0));
        let (mut taken, mut left) = (Vec::new(), costs.batch - first);
        // A test is worth its cost if it raises the ratio. Tests of one class do so together.
        for (gain, class) in at {
            let count = class.tests.len().min(left) as f64;
            if count == 0.0 || (cost > 0.0 && sum > 0.0 && gain / costs.test <= sum / cost) {
                break;
            }
            (sum, cost, left) = (sum + gain * count, cost + costs.test * count, left - count as usize);
            taken.push(class);
        }
        if sum / cost > reached {
            best = Some((sum / cost, node, taken));
        }
    }
    let (_, node, classes) = best?;
    let is_busy = open.iter().any(|one| !one.flying.is_empty());
    let due = due.remove(&node).unwrap_or_default();
    if is_busy && due.is_empty() && classes.first().is_none_or(|class| class.best < WAIT_BELOW) {
        return None;
    }
    let tests = due.into_iter().chain(classes.into_iter().flat_map(|class| class.tests.iter().copied()));
    Some((node, tests.take(costs.batch).collect()))
}
