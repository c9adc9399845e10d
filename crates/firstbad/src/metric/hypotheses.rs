//! What the models of noise share: the hypotheses about the change.

use super::scale::quantile;

/// The prior probability that nothing changed.
pub(super) const NO_CHANGE: f64 = 0.4;

/// The sizes of a change that the search considers, evenly spaced on a logarithmic axis.
///
/// The grid reaches what the measurements show. Otherwise, a large change would look like noise.
pub(super) fn sizes(least: f64, levels: &[f64]) -> Vec<f64> {
    let most = std::f64::consts::LN_2.max(1.5 * (quantile(levels, 0.9) - quantile(levels, 0.1))).max(2.0 * least);
    let count = if most > 1.0 { 14 } else { 10 };
    let step = (most / least).ln() / f64::from(count - 1);
    (0..count).map(|place| least * (f64::from(place) * step).exp()).collect()
}

/// Returns the likelihoods in relation to the largest one.
pub(super) fn relative(logs: &[f64], other: f64) -> (Vec<f64>, f64) {
    let most = logs.iter().copied().fold(other, f64::max);
    (logs.iter().map(|log| (log - most).exp()).collect(), (other - most).exp())
}
