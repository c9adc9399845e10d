//! When a search with an unknown rate is given up: its test is too flaky.

use super::belief::Belief;
use super::information::capacity;

/// Whether a run carries almost no information at the likely rates, once there are enough outcomes to know the rates.
///
/// The result does not depend on the number of probes in flight, although a search needs more outcomes with more probes
/// in flight. After [`LATEST`] outcomes for each halving of the suspects, a search is given up at any rates.
pub(crate) fn is_too_flaky(belief: &Belief, answers: u32) -> bool {
    let answers = f64::from(answers) / (belief.suspects.len() as f64 + 2.0).log2();
    if answers < EARLIEST {
        return false;
    }
    let (flake, false_pass) = (belief.mean(|class| class.flake), belief.mean(|class| class.false_pass));
    let least = if belief.rates().is_one_sided() { LEAST } else { 2.0 * LEAST };
    answers >= LATEST || capacity(flake, false_pass) < least
}

/// The minimum information of a run in bits. If passes can be false, the minimum doubles, because no single run is
/// proof.
const LEAST: f64 = 1.0 / 64.0;

/// The outcomes for each halving of the suspects before a search can be given up. Until then, the rates are not known.
const EARLIEST: f64 = 8.0;

/// The outcomes for each halving of the suspects after which a search is given up: four times what the flakiest test
/// takes.
const LATEST: f64 = 256.0;

/// Whether a search among branches would need more than 64 outcomes for each halving of its suspects, at the likely
/// rates.
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
