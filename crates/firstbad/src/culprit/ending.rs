//! When a culprit search is over: FACF, Algorithm 1, and what a real test adds to it.

use super::belief::Belief;
use super::inseparable::{Inseparable, inseparable};
use crate::belief::Tally;

/// How a search stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ending {
    Open,
    /// The suspect at this place has reached the confidence.
    Culprit(usize),
    /// "No culprit" has.
    Flake,
    /// Suspects that no test can tell apart have, together.
    Inseparable(Inseparable),
    /// No hypothesis explains what was seen.
    Contradictory,
    /// A good end never passes, more often than flakes explain.
    GoodEndFails,
}

/// The ending that a belief calls for; `good` are the runs at each good end.
pub(crate) fn ending(belief: &Belief, confidence: f64, good: impl Iterator<Item = Tally>) -> Ending {
    let worst = belief.rates().worst_flake();
    let never_passes = |runs: Tally| runs.passes == 0 && runs.fails > 0;
    for runs in good {
        if never_passes(runs) && worst.powf(f64::from(runs.fails)) <= 1.0 - confidence {
            return Ending::GoodEndFails;
        }
    }
    if !belief.is_possible() || is_far_fetched(belief, confidence) {
        return Ending::Contradictory;
    }
    if belief.none().mass >= confidence {
        return Ending::Flake;
    }
    let (place, probability) = belief.best();
    if probability >= confidence {
        return Ending::Culprit(place);
    }
    if belief.unresolved().is_empty() {
        return Ending::Open;
    }
    let reached = inseparable(belief).into_iter().find(|set| set.mass >= confidence);
    reached.map_or(Ending::Open, Ending::Inseparable)
}

/// Whether flakes would have to be far more frequent than they are said to be, whoever it was: the rate is wrong, or
/// there are several culprits.
fn is_far_fetched(belief: &Belief, confidence: f64) -> bool {
    let Some((flake, _)) = belief.rates().known() else { return false };
    let tail = |runs: Tally| upper_tail(runs, flake);
    let limit = FAR_FETCHED * (1.0 - confidence);
    let likeliest = belief.classes().iter().chain([belief.none()]).max_by(|a, b| a.mass.total_cmp(&b.mass));
    likeliest.is_some_and(|class| tail(class.healthy) < limit) && belief.mean(|class| tail(class.healthy)) < limit
}

/// How much less likely than an error that is put up with.
const FAR_FETCHED: f64 = 1e-3;

/// Chernoff's bound on the chance of that many failures or more.
fn upper_tail(runs: Tally, rate: f64) -> f64 {
    let Some(seen) = runs.rate().filter(|&seen| seen > rate) else { return 1.0 };
    if rate == 0.0 {
        return 0.0;
    }
    let term = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
    (-f64::from(runs.runs()) * (term(seen, rate) + term(1.0 - seen, 1.0 - rate))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_above_the_tail_and_one_below_the_rate() {
        assert_eq!(upper_tail(Tally { passes: 9, fails: 1 }, 0.1), 1.0);
        // Four of four: 0.1^4.
        assert!((upper_tail(Tally { passes: 0, fails: 4 }, 0.1) - 1e-4).abs() < 1e-9);
        assert!(upper_tail(Tally { passes: 6, fails: 4 }, 0.1) > 0.0128);
        assert_eq!(upper_tail(Tally { passes: 6, fails: 1 }, 0.0), 0.0);
    }
}
