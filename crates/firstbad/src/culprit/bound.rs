//! When a search with an unknown rate is given up: its test is too flaky.

use super::belief::Belief;
use super::information::capacity;

/// Whether a run tells next to nothing at the rates held likely, once so many answers have shown them.
///
/// That does not depend on how many probes are in flight, although a search takes more answers with more of them. Only what has
/// not ended after [`LATEST`] answers for each halving of the suspects is given up at any rates.
pub(crate) fn is_too_flaky(belief: &Belief, answers: u32) -> bool {
    let answers = f64::from(answers) / (belief.suspects.len() as f64 + 2.0).log2();
    if answers < EARLIEST {
        return false;
    }
    let (flake, false_pass) = (belief.mean(|class| class.flake), belief.mean(|class| class.false_pass));
    let least = if belief.rates().is_one_sided() { LEAST } else { 2.0 * LEAST };
    answers >= LATEST || capacity(flake, false_pass) < least
}

/// The least that a run has to tell, in bits, twice as much if passes may be false: then no single run proves anything.
const LEAST: f64 = 1.0 / 64.0;

/// After so many answers for each halving of the suspects a search may be given up: the rates are not known before.
const EARLIEST: f64 = 8.0;

/// After so many a search is given up: four times what the flakiest test takes.
const LATEST: f64 = 256.0;

/// Whether a search among branches that has had so many answers would take more than 64 for each halving of its suspects, with the
/// rates held likely.
pub(crate) fn takes_too_long(belief: &Belief, answers: u32) -> bool {
    let (answers, most) = (f64::from(answers), 64.0 * (belief.suspects.len() as f64 + 2.0).log2());
    if answers < most / 8.0 {
        return false;
    }
    let order = |p: f64| if p > 0.0 { p * p.log2() } else { 0.0 };
    let orders = belief.class_shapes().iter().map(|shape| shape.order).sum::<f64>() + order(belief.none().mass);
    let (flake, false_pass) = (belief.mean(|class| class.flake), belief.mean(|class| class.false_pass));
    answers - orders / capacity(flake, false_pass) >= most
}
