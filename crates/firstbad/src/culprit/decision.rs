//! When a culprit search ends, and with which conclusion (FACF, Algorithm 1, extended for real tests).

use super::belief::{Belief, Class};
use super::guard::{Guard, Unproven};
use super::inseparable::{Inseparable, inseparable};
use crate::belief::RunCounts;

/// A conclusion, or the need for more runs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decision {
    Open,
    /// The suspect at this place has reached the confidence.
    Culprit(usize),
    /// The suspect at this place has reached the confidence, but outcomes are missing that a culprit must have.
    Unproven(usize, Unproven),
    /// "No culprit" has reached the confidence.
    Flake,
    /// Inseparable suspects have together reached the confidence.
    Inseparable(Inseparable),
    /// No hypothesis explains the observations.
    Contradictory,
    /// A good revision fails more often than flakes explain, and never passes.
    GoodEndFails,
    /// The search or its verification would take too many runs at the estimated rates.
    TooFlaky,
}

/// Decides from a belief. `good` holds the runs of each good revision, and the guard must approve a culprit.
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
        // No suspect is likely, but the bad revision always fails.
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

/// A run that must come before any other and before any conclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// A run of the suspect at this place.
    Suspect(usize),
    /// A run of the good revision.
    Good,
}

/// Returns the run that is due if a rate is unknown.
///
/// The bad revision comes first, because a pass proves a flake at the cost of one run. Before a conclusion, the prior is not
/// enough, since it considers most tests reliable. A flake needs a pass of the bad revision. A culprit needs a second failure and
/// a pass of a healthy revision.
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

/// The failures that a culprit needs if a rate is unknown.
const FAILS: u32 = 2;

/// Whether a revision never passes and fails more often than flakes explain.
fn never_passes(belief: &Belief, runs: RunCounts, confidence: f64) -> bool {
    let chance = belief.rates().worst().0.powf(f64::from(runs.fails));
    runs.passes == 0 && runs.fails > 0 && chance <= 1.0 - confidence
}

/// Whether every hypothesis needs far more flakes or false passes than the rates allow. Then the rates are wrong, or there are
/// several culprits.
fn is_far_fetched(belief: &Belief, confidence: f64) -> bool {
    let (flake, false_pass) = belief.rates().worst();
    let tail = |class: &Class| {
        // The runs can make rates likely that are unlikely a priori.
        upper_tail(class.healthy.fails, class.healthy.runs(), flake.max(class.flake))
            * upper_tail(class.broken.passes, class.broken.runs(), false_pass.max(class.false_pass))
    };
    let limit = FAR_FETCHED * (1.0 - confidence);
    let likeliest = belief.classes().iter().chain([belief.none()]).max_by(|a, b| a.mass.total_cmp(&b.mass));
    likeliest.is_some_and(|class| tail(class) < limit) && belief.mean(tail) < limit
}

/// How much less probable than the accepted error a far-fetched belief is.
const FAR_FETCHED: f64 = 1e-3;

/// Chernoff's bound on the probability of at least `count` events in `runs` runs.
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
    fn the_chernoff_bound_is_at_least_the_tail_and_1_up_to_the_rate() {
        assert_eq!(upper_tail(1, 10, 0.1), 1.0);
        // The exact probability of four in four is 0.1^4.
        assert!((upper_tail(4, 4, 0.1) - 1e-4).abs() < 1e-9);
        assert!(upper_tail(4, 10, 0.1) > 0.0128);
        assert_eq!(upper_tail(1, 7, 0.0), 0.0);
    }
}
