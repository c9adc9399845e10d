//! Chooses several runs at once that together bring the end nearest, given the runs in flight.
//!
//! The outcomes of a batch fall into cases. A batch is rated by the rounds that are expected after it, and grows run by run. Runs
//! in flight are the first of the batch. A batch can run one revision several times.

use super::belief::Belief;
use super::costs::Costs;
use super::cumulated::{Around, Cumulated};
use super::information::{ExpectedInformation, is_useful};
use super::next_runs::{Measure, next_runs};
use super::testable::Testable;

/// Returns at most `want` places to run next, and fewer if another run is not worth its cost. The result is empty if no run gives
/// information, or if the runs in flight suffice.
pub(crate) fn joint_runs(belief: &Belief, costs: &Costs, confidence: f64, want: usize, flying: &[usize]) -> Vec<usize> {
    let expected = ExpectedInformation::new(belief);
    if want == 1 && flying.is_empty() {
        return expected.best_with_end_in_sight(costs, confidence).into_iter().collect();
    }
    let count = want + flying.len();
    if count > JOINTLY {
        return next_runs(belief, Measure::Posterior, costs, confidence, want, flying);
    }
    let testable = Testable::new(belief, costs);
    let candidates = candidates(belief, &testable, count);
    // Split the classes at every run under consideration.
    let mut fine = belief.clone();
    let node = |&place: &usize| belief.suspects.node(place);
    fine.split_at(candidates.iter().chain(flying).map(node));
    let per_round = TOGETHER * expected.capacity() * ((count + 1) as f64).log2();
    let field = Field::new(&fine, &candidates, flying, per_round, confidence);
    let mut cases = vec![field.start()];
    for run in 0..flying.len() {
        cases = field.after(&cases, candidates.len() + run);
    }
    let price = |candidate: usize| WORTH / count as f64 * costs.at(candidates[candidate]);
    let mut left = field.expected(&cases);
    let (mut chosen, mut paid) = (Vec::new(), 0.0);
    // Keep the best of the batches on the way, including the cost of their runs.
    let mut best = (if flying.is_empty() { f64::INFINITY } else { left }, 0);
    while chosen.len() < want {
        let gain =
            |candidate: usize| (left - field.expected_with(&cases, candidate)) * testable.worth(candidates[candidate]);
        let Some(next) = field.most(gain) else { break };
        cases = field.after(&cases, next);
        left = field.expected(&cases);
        paid += price(next);
        chosen.push(next);
        if left + paid < best.0 - TINY {
            best = (left + paid, chosen.len());
        }
    }
    chosen.truncate(best.1);
    if flying.is_empty() && costs.is_even() && testable.is_everything() {
        field.polish(&mut chosen);
    }
    chosen.into_iter().map(|candidate| candidates[candidate]).filter(|&place| is_useful(belief, place)).collect()
}

/// Larger batches use the thresholds of FACF, Algorithm 2. The time of a joint choice grows with the fourth power of the batch,
/// and is half a second at this size.
const JOINTLY: usize = 64;

/// The share of its maximum information that a batch gives. Its runs do not see each other's outcomes.
const TOGETHER: f64 = 0.96;

/// The number of rounds that the runs of a full batch must save.
const WORTH: f64 = 0.4;

/// Smaller differences are rounding errors.
const TINY: f64 = 1e-12;

/// Places spread evenly over the cumulative posterior, the ends of classes, and the bad revision.
fn candidates(belief: &Belief, testable: &Testable<'_>, count: usize) -> Vec<usize> {
    let cdf = Cumulated::new(belief, |class| class.scale);
    let grid = if belief.suspects.len() > LARGE && !belief.suspects.is_line { COARSE } else { FINE.max(3 * count) };
    let mut wishes = vec![belief.suspects.last()];
    for i in 1..grid {
        let Around { below, above } = cdf.around(i as f64 / grid as f64, |_, sum| sum);
        wishes.extend(above);
        wishes.extend(below);
        if let Some(above) = above.filter(|&above| !belief.suspects.is_line && !testable.may_be_run(above)) {
            // On a DAG, a place that splits the suspects in the same way can be elsewhere.
            let off = |place: usize| (cdf.at(place) - cdf.at(above)).abs();
            let others = (0..belief.suspects.len()).filter(|&place| testable.may_be_run(place));
            wishes.extend(others.min_by(|&one, &other| off(one).total_cmp(&off(other))));
        }
    }
    wishes.extend(belief.tested().flat_map(|place| [Some(place), place.checked_sub(1)]).flatten());
    let mut places = testable.near(&wishes);
    places.sort_unstable();
    places.dedup();
    places.retain(|&place| testable.may_be_run(place));
    places
}

/// The divisions of the posterior. On a DAG, each division costs a pass over all suspects.
const FINE: usize = 24;
const COARSE: usize = 8;
const LARGE: usize = 10_000;

/// The classes of suspects, with "no culprit" last, and the effect of each run under consideration.
struct Field {
    masses: Vec<f64>,
    /// The sum of `p log2 p` over each class, and the highest `p` of each class.
    orders: Vec<f64>,
    tops: Vec<f64>,
    /// The odds of each run by class. Candidates come first, then runs in flight.
    passes: Vec<Vec<Odds>>,
    candidates: usize,
    /// The information of a full round, in bits.
    per_round: f64,
    confidence: f64,
}

/// The probabilities of the outcomes of a run, if the culprit is in a class.
#[derive(Clone, Copy)]
struct Odds {
    pass: f64,
    fail: f64,
    log_pass: f64,
    log_fail: f64,
}

/// One combination of outcomes: for each class, its probability given the class, with the logarithm.
struct Case {
    factors: Vec<(f64, f64)>,
    chance: f64,
}

impl Field {
    fn new(belief: &Belief, candidates: &[usize], flying: &[usize], per_round: f64, confidence: f64) -> Self {
        let classes = belief.class_shapes();
        let none = belief.none();
        let order = |p: f64| if p > 0.0 { p * p.log2() } else { 0.0 };
        // A class without mass stays without mass.
        let alive: Vec<usize> = (0..classes.len()).filter(|&class| belief.classes()[class].mass > 0.0).collect();
        let mut masses: Vec<f64> = alive.iter().map(|&class| belief.classes()[class].mass).collect();
        let mut orders: Vec<f64> = alive.iter().map(|&class| classes[class].order).collect();
        let mut tops: Vec<f64> = alive.iter().map(|&class| classes[class].top).collect();
        masses.push(none.mass);
        orders.push(order(none.mass));
        tops.push(none.mass);
        let odds = |pass: f64| Odds { pass, fail: 1.0 - pass, log_pass: pass.log2(), log_fail: (1.0 - pass).log2() };
        let run = |&place: &usize| {
            let breaks = belief.breaks(place);
            let by_class = |&class: &usize| {
                let class_odds = &belief.classes()[class];
                odds(if breaks[class] { class_odds.false_pass } else { 1.0 - class_odds.flake })
            };
            alive.iter().map(by_class).chain([odds(1.0 - none.flake)]).collect()
        };
        let passes = candidates.iter().chain(flying).map(run).collect();
        Field { masses, orders, tops, passes, candidates: candidates.len(), per_round, confidence }
    }

    /// The case before any run.
    fn start(&self) -> Case {
        Case { factors: vec![(1.0, 0.0); self.masses.len()], chance: 1.0 }
    }

    /// The rounds expected after a case. None if the case ends the search, otherwise half a round plus the rounds for the
    /// entropy.
    fn rounds(&self, chance: f64, order: f64, top: f64) -> f64 {
        if chance <= UNLIKELY {
            return 0.0;
        }
        let entropy = (chance * chance.log2() - order).max(0.0);
        let over = top >= (self.confidence - TINY) * chance;
        let going_on = if over { 0.0 } else { OPEN * chance + entropy / self.per_round };
        going_on + FURTHER * entropy
    }

    fn expected(&self, cases: &[Case]) -> f64 {
        let rounds = |case: &Case| {
            let (mut order, mut top) = (0.0, 0.0f64);
            for (class, &(factor, log)) in case.factors.iter().enumerate() {
                if factor > 0.0 {
                    order += factor * (self.orders[class] + self.masses[class] * log);
                    top = top.max(factor * self.tops[class]);
                }
            }
            self.rounds(case.chance, order, top)
        };
        cases.iter().map(rounds).sum()
    }

    /// Like `expected`, with one more run.
    fn expected_with(&self, cases: &[Case], run: usize) -> f64 {
        let mut sum = 0.0;
        for case in cases {
            let (mut pass, mut fail) = ((0.0, 0.0, 0.0f64), (0.0, 0.0, 0.0f64));
            for (class, &(factor, log)) in case.factors.iter().enumerate() {
                if factor > 0.0 {
                    let odds = self.passes[run][class];
                    let (mass, order, top) = (self.masses[class], self.orders[class], self.tops[class]);
                    if odds.pass > 0.0 {
                        let by = factor * odds.pass;
                        pass = (
                            pass.0 + by * mass,
                            pass.1 + by * (order + mass * (log + odds.log_pass)),
                            pass.2.max(by * top),
                        );
                    }
                    if odds.fail > 0.0 {
                        let by = factor * odds.fail;
                        fail = (
                            fail.0 + by * mass,
                            fail.1 + by * (order + mass * (log + odds.log_fail)),
                            fail.2.max(by * top),
                        );
                    }
                }
            }
            sum += self.rounds(pass.0, pass.1, pass.2) + self.rounds(fail.0, fail.1, fail.2);
        }
        sum
    }

    /// The cases after one more run. Cases that leave the same belief are merged.
    fn after(&self, cases: &[Case], run: usize) -> Vec<Case> {
        let mut after: Vec<Case> = Vec::with_capacity(2 * cases.len());
        for case in cases {
            for passes in [false, true] {
                let mut chance = 0.0;
                let factors = case.factors.iter().enumerate().map(|(class, &(factor, log))| {
                    let odds = self.passes[run][class];
                    let (by, log_by) = if passes { (odds.pass, odds.log_pass) } else { (odds.fail, odds.log_fail) };
                    let factor = factor * by;
                    chance += factor * self.masses[class];
                    if factor > 0.0 { (factor, log + log_by) } else { (0.0, 0.0) }
                });
                let factors: Vec<(f64, f64)> = factors.collect();
                if chance <= UNLIKELY {
                    continue;
                }
                let new = Case { factors, chance };
                match after.iter_mut().find(|old| old.is_like(&new)) {
                    Some(old) => old.join(&new),
                    None => after.push(new),
                }
            }
        }
        if after.len() > CASES {
            after.sort_by(|one, other| other.chance.total_cmp(&one.chance));
            after.truncate(CASES);
        }
        after
    }

    /// The candidate with the highest value above 0. Ties go to the first.
    fn most(&self, value: impl Fn(usize) -> f64) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for candidate in 0..self.candidates {
            let value = value(candidate);
            if value > best.map_or(TINY, |best| best.1) {
                best = Some((candidate, value));
            }
        }
        best.map(|best| best.0)
    }

    /// Moves each run to a better place nearby, because the best place for a single run need not be the best in a batch.
    fn polish(&self, chosen: &mut [usize]) {
        let reach = if chosen.len() <= 3 { self.candidates } else { NEAR };
        if chosen.len() < 2 {
            return;
        }
        for _ in 0..SWEEPS {
            let before = chosen.to_vec();
            for moved in 0..chosen.len() {
                let others = chosen.iter().enumerate().filter(|&(other, _)| other != moved);
                let rest = others.fold(vec![self.start()], |cases, (_, &run)| self.after(&cases, run));
                let at = chosen[moved];
                let mut best = (self.expected_with(&rest, at) - MOVE, at);
                for place in at.saturating_sub(reach)..(at + reach + 1).min(self.candidates) {
                    let expected = self.expected_with(&rest, place);
                    if expected < best.0 {
                        best = (expected, place);
                    }
                }
                chosen[moved] = best.1;
            }
            if chosen == before {
                break;
            }
        }
    }
}

impl Case {
    /// Whether both cases leave the same belief, because one is a multiple of the other.
    fn is_like(&self, other: &Case) -> bool {
        let ratio = other.chance / self.chance;
        let mut pairs = self.factors.iter().zip(&other.factors);
        pairs.all(|(one, other)| (one.0 * ratio - other.0).abs() <= SAME * other.0)
    }

    fn join(&mut self, other: &Case) {
        let by = 1.0 + other.chance / self.chance;
        let log_by = by.log2();
        self.chance *= by;
        self.factors.iter_mut().filter(|factor| factor.0 > 0.0).for_each(|(factor, log)| {
            *factor *= by;
            *log += log_by;
        });
    }
}

/// The rounds for a case that does not end the search, besides its entropy. The small share for remaining entropy breaks ties.
const OPEN: f64 = 0.5;
const FURTHER: f64 = 0.001;

/// Less probable cases are dropped. If there are many cases, only the most probable ones are kept.
const UNLIKELY: f64 = 1e-12;
const CASES: usize = 64;

/// Beliefs that differ by less than this share are equal.
const SAME: f64 = 1e-9;

/// How far runs of larger batches are moved, how often, and for which gain.
const NEAR: usize = 4;
const SWEEPS: usize = 2;
const MOVE: f64 = 1e-9;
