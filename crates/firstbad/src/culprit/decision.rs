//! When a culprit search is over, and with which answer: FACF, Algorithm 1, and what a real test adds to it.

use super::belief::{Belief, Class};
use super::guard::{Guard, Unproven};
use super::inseparable::{Inseparable, inseparable};
use crate::belief::RunCounts;

/// What a belief calls for: an answer, or more runs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decision {
    Open,
    /// The suspect at this place has reached the confidence.
    Culprit(usize),
    /// It has, but what nobody is named without was not seen.
    Unproven(usize, Unproven),
    /// "No culprit" has.
    Flake,
    /// Suspects that no test can tell apart have, together.
    Inseparable(Inseparable),
    /// No hypothesis explains what was seen.
    Contradictory,
    /// A good end never passes, more often than flakes explain.
    GoodEndFails,
    /// The rates found take too many runs, or enough of them do not verify a conclusion.
    TooFlaky,
}

/// What a belief calls for; `good` are the runs at each good end, which may be tested or not. Nobody is named that the
/// guard does not let pass.
pub(crate) fn decide(
    belief: &Belief,
    confidence: f64,
    good: &[RunCounts],
    asks_good: bool,
    guard: &Guard<'_>,
) -> Decision {
    if good.iter().any(|&runs| never_passes(belief, runs, confidence)) {
        return Decision::GoodEndFails;
    }
    if !belief.is_possible() || is_far_fetched(belief, confidence) {
        return Decision::Contradictory;
    }
    if due_run(belief, confidence, asks_good).is_some() {
        return Decision::Open;
    }
    if belief.none().mass >= confidence {
        // Nobody is left to blame, and yet it fails every time.
        let unproven = belief.rates().known().is_none()
            && never_passes(belief, belief.runs_at(belief.suspects.last()), confidence);
        return if unproven { Decision::Contradictory } else { Decision::Flake };
    }
    let (place, probability) = belief.best();
    if probability >= confidence {
        let unproven = guard.unproven(&belief.suspects.graph, belief.suspects.node(place));
        return unproven.map_or(Decision::Culprit(place), |unproven| Decision::Unproven(place, unproven));
    }
    inseparable(belief, confidence).map_or(Decision::Open, Decision::Inseparable)
}

/// A run that has to come before any other choice, and before any conclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// At the suspect in this place.
    Suspect(usize),
    /// At the good end.
    Good,
}

/// What is due if the rate is unknown; `None` if nothing is.
///
/// First the revision that was seen to fail, once more: if it passes, that proves a flake, and it costs next to nothing
/// otherwise. Then what would prove a conclusion that so far is only believed, because the prior takes most tests for
/// reliable: a pass of that revision for a flake; for a culprit a second failure, and a pass of any healthy revision.
pub(crate) fn due_run(belief: &Belief, confidence: f64, asks_good: bool) -> Option<Due> {
    if belief.rates().known().is_some() {
        return None;
    }
    let bad = belief.suspects.last();
    let at_bad = belief.runs_at(bad);
    let (place, probability) = belief.best();
    let testable = |place: usize| belief.may_be_run(place).then_some(Due::Suspect(place));
    if at_bad.runs() == 0 && belief.none().mass > 1.0 - confidence {
        return testable(bad);
    }
    if belief.none().mass >= confidence {
        return if at_bad.passes == 0 && !never_passes(belief, at_bad, confidence) { testable(bad) } else { None };
    }
    if probability < confidence {
        return None;
    }
    if asks_good && belief.class_at(place).healthy.passes == 0 {
        return Some(Due::Good);
    }
    if belief.runs_at(place).fails < FAILS { testable(place) } else { None }
}

/// How often a culprit must fail if the rate is unknown.
const FAILS: u32 = 2;

/// Whether a revision fails more often than flakes explain.
fn never_passes(belief: &Belief, runs: RunCounts, confidence: f64) -> bool {
    let chance = belief.rates().worst().0.powf(f64::from(runs.fails));
    runs.passes == 0 && runs.fails > 0 && chance <= 1.0 - confidence
}

/// Whether flakes or false passes would have to be far more frequent than they are said to be, whoever it was: the
/// rates are wrong, or there are several culprits.
fn is_far_fetched(belief: &Belief, confidence: f64) -> bool {
    let (flake, false_pass) = belief.rates().worst();
    let tail = |class: &Class| {
        // Rates that are rare beforehand may be what the runs make likely.
        upper_tail(class.healthy.fails, class.healthy.runs(), flake.max(class.flake))
            * upper_tail(class.broken.passes, class.broken.runs(), false_pass.max(class.false_pass))
    };
    let limit = FAR_FETCHED * (1.0 - confidence);
    let likeliest = belief.classes().iter().chain([belief.none()]).max_by(|a, b| a.mass.total_cmp(&b.mass));
    likeliest.is_some_and(|class| tail(class) < limit) && belief.mean(tail) < limit
}

/// How much less likely than an error that is put up with.
const FAR_FETCHED: f64 = 1e-3;

/// Chernoff's bound on the chance of that many or more of so many runs.
fn upper_tail(count: u32, runs: u32, rate: f64) -> f64 {
    let seen = if runs == 0 { 0.0 } else { f64::from(count) / f64::from(runs) };
    if seen <= rate {
        return 1.0;
    }
    if rate == 0.0 {
        return 0.0;
    }
    let term = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
    (-f64::from(runs) * (term(seen, rate) + term(1.0 - seen, 1.0 - rate))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_above_the_tail_and_one_below_the_rate() {
        assert_eq!(upper_tail(1, 10, 0.1), 1.0);
        // Four of four: 0.1^4.
        assert!((upper_tail(4, 4, 0.1) - 1e-4).abs() < 1e-9);
        assert!(upper_tail(4, 10, 0.1) > 0.0128);
        assert_eq!(upper_tail(1, 7, 0.0), 0.0);
    }
}
