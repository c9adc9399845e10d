//! The hypotheses about a test: their rates, their prior probabilities, and the gain of a run.

use crate::belief::entropy;

/// The flake rates f with their prior probabilities, and those of a flaky test that failed last night.
pub(super) const FLAKE: [(f64, f64, f64); 4] =
    [(0.002, 0.86, 0.02), (0.05, 0.05, 0.2), (0.2, 0.05, 0.4), (0.5, 0.04, 0.38)];
/// The rates g of false passes with their prior probabilities.
pub(super) const FALSE_PASS: [(f64, f64); 2] = [(0.002, 0.96), (0.2, 0.04)];
/// The prior probability of a flaky test, and of a test that fails everywhere on this machine.
pub(super) const FLAKY: f64 = 0.2;
pub(super) const ENVIRONMENT: f64 = 0.04;
/// The probability that a test fails in an environment that breaks it.
pub(super) const ENVIRONMENT_FAILS: f64 = 0.98;

/// Returns G_t(v), in bits, from P(side) and P(side and fail) for the past of v, outside, flaky, and environment.
pub(super) fn gain(sides: [(f64, f64); 4]) -> f64 {
    let h2 = |p: f64| entropy(p.clamp(0.0, 1.0));
    let p_fail = sides.iter().map(|side| side.1).sum();
    let known = sides.iter().filter(|side| side.0 > 1e-12).map(|&(side, fails)| side * h2(fails / side));
    (h2(p_fail) - known.sum::<f64>()).max(0.0)
}
