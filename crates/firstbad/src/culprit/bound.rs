//! When a search with an unknown rate is given up: its test is too flaky.

use super::belief::Belief;
use super::information::capacity;

/// Whether a search that has had so many answers would take more than [`most`] with the rates held likely.
pub(crate) fn is_too_flaky(belief: &Belief, answers: u32) -> bool {
    let (answers, most) = (f64::from(answers), most(belief.suspects.len()));
    if answers < EARLIEST * most {
        return false;
    }
    let order = |p: f64| if p > 0.0 { p * p.log2() } else { 0.0 };
    let orders = belief.class_shapes().iter().map(|shape| shape.order).sum::<f64>() + order(belief.none().mass);
    let (flake, false_pass) = (belief.mean(|class| class.flake), belief.mean(|class| class.false_pass));
    answers - orders / capacity(flake, false_pass) >= most
}

/// The most answers that a search takes: so many for each halving of the suspects.
fn most(suspects: usize) -> f64 {
    64.0 * (suspects as f64 + 2.0).log2()
}

/// After which share of that a search may be given up: the rates are not known before.
const EARLIEST: f64 = 0.125;
