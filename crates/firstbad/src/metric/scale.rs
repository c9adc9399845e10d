//! The scale on which a search compares numbers.

use super::config::{Sought, Worse};
use super::units::AtLeast;
use crate::finding::find::Find;

/// The largest level. Squares of levels must be finite.
const LARGEST: f64 = 1e9;

/// The smallest amount that has a level.
const SMALLEST: f64 = 1e-200;

/// Turns numbers into levels. A larger level is a change in the direction that the search looks for, and changes add up.
///
/// Levels are logarithms if the smallest change is a share and all numbers are positive. Otherwise, a level is proportional to the
/// number, and the smallest change has the level [`LEAST`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    is_log: bool,
    /// 1, or -1 if the search looks for a smaller number.
    sign: f64,
    /// The level of one unit, if levels are proportional.
    factor: f64,
    /// The smallest change that matters.
    pub(super) least: f64,
    /// Whether outliers have larger levels. An outlier is slower or larger, also if the search looks for an improvement.
    pub(super) outliers_up: bool,
}

/// The level of the smallest change, if levels are proportional.
const LEAST: f64 = 0.03;

impl Scale {
    /// Chooses a scale for numbers. `good` and `bad` are the numbers at the endpoints.
    pub(super) fn new(
        sought: &Sought,
        find: Find,
        all: &mut dyn Iterator<Item = f64>,
        good: &[f64],
        bad: &[f64],
    ) -> Self {
        let to_worse = match sought.worse {
            Worse::Up => 1.0,
            Worse::Down => -1.0,
            Worse::Either if median(bad) < median(good) => -1.0,
            Worse::Either => 1.0,
        };
        let sign = if find == Find::Fix && sought.worse != Worse::Either { -to_worse } else { to_worse };
        let mut largest: f64 = 0.0;
        let mut is_positive = true;
        for number in all {
            is_positive &= number > 0.0;
            largest = largest.max(number.abs());
        }
        let outliers_up = find == Find::Regression || sought.worse == Worse::Either;
        match sought.at_least {
            AtLeast::Share(share) if is_positive => {
                // Nothing can shrink by its whole size.
                let least = if sign > 0.0 { share.ln_1p() } else { -(-share.min(0.99)).ln_1p() };
                Scale { is_log: true, sign, factor: 1.0, least, outliers_up }
            }
            AtLeast::Share(share) => {
                let base = Some(median(good).abs()).filter(|base| *base > 0.0).unwrap_or(largest);
                let amount = (if base > 0.0 { share * base } else { share }).max(SMALLEST);
                Scale { is_log: false, sign, factor: LEAST / amount, least: LEAST, outliers_up }
            }
            AtLeast::Amount { amount, .. } => {
                Scale { is_log: false, sign, factor: LEAST / amount.max(SMALLEST), least: LEAST, outliers_up }
            }
        }
    }

    /// Returns the level of a number, or of a number in relation to its control.
    pub(super) fn level(&self, number: f64, control: Option<f64>) -> f64 {
        let level = self.sign * (self.plain(number) - control.map_or(0.0, |control| self.plain(control)));
        level.clamp(-LARGEST, LARGEST)
    }

    fn plain(&self, number: f64) -> f64 {
        if self.is_log { number.max(f64::MIN_POSITIVE).ln() } else { (number * self.factor).clamp(-LARGEST, LARGEST) }
    }

    /// Returns whether a censored number is a lower limit of its level. It is an upper limit otherwise.
    pub(super) fn is_lower_limit(&self) -> bool {
        self.sign > 0.0
    }

    /// Returns a number as if its control had been `usual`.
    pub(super) fn corrected(&self, number: f64, control: Option<f64>, usual: f64) -> f64 {
        match control {
            Some(control) if self.is_log => number * usual / control,
            Some(control) => number + usual - control,
            None => number,
        }
    }

    /// Returns the change in units that a difference of levels means, for a number before the change.
    pub(super) fn change(&self, before: f64, levels: f64) -> f64 {
        let change =
            if self.is_log { before * (self.sign * levels).exp_m1() } else { self.sign * levels / self.factor };
        change.clamp(-f64::MAX, f64::MAX)
    }

    /// Returns the limits of a change in units, for a number before the change and a difference of levels with its error.
    pub(super) fn interval(&self, before: f64, levels: f64, error: f64) -> (f64, f64) {
        let (one, other) = (self.change(before, levels - error), self.change(before, levels + error));
        (one.min(other), one.max(other))
    }
}

/// Returns the median, or 0 without values.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        count if count % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// Returns a quantile of sorted values with linear interpolation, or 0 without values.
pub(super) fn quantile(values: &[f64], share: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let place = share * (values.len() - 1) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    values[low] + (values[high] - values[low]) * (place - low as f64)
}
