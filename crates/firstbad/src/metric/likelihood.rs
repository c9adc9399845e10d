//! The distribution of a measurement around its level.
//!
//! Most measurements have a t distribution with four degrees of freedom and scale `s`. A share [`OUTLIERS`] is larger by an
//! exponential amount: another process was busy. A machine can also have two modes, for example by the layout of memory.

/// The share of outliers.
const OUTLIERS: f64 = 0.08;

/// The mean amount of an outlier.
const REACH: f64 = 0.25;

/// The density of the t distribution at 0.
const PEAK: f64 = 0.375;

/// One measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Level {
    pub(super) level: f64,
    /// Whether the level is only a limit.
    pub(super) limit: Option<Limit>,
}

/// The kind of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// The true level is at least this.
    Lower,
    /// The true level is at most this.
    Upper,
}

/// The noise of measurements, up to its scale.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model {
    pub(super) outliers_up: bool,
    /// The distance of a second mode above the level, which half of the measurements have.
    pub(super) mode: Option<f64>,
}

impl Model {
    /// Returns the logarithm of the likelihood of a measurement, if its true level is `at` and its scale is `s`.
    #[inline]
    pub(super) fn log(self, seen: Level, at: f64, s: f64) -> f64 {
        let rest = seen.level - at;
        let likelihood = match seen.limit {
            None => self.density(rest, s),
            Some(Limit::Lower) => self.above(rest, s),
            Some(Limit::Upper) => 1.0 - self.above(rest, s),
        };
        (likelihood + 1e-300).ln()
    }

    #[inline]
    fn density(self, rest: f64, s: f64) -> f64 {
        let usual = |rest: f64| {
            let z = rest / s;
            let spread = 1.0 + z * z / 4.0;
            PEAK / (spread * spread * spread.sqrt() * s)
        };
        let usual = self.mode.map_or_else(|| usual(rest), |mode| 0.5 * (usual(rest) + usual(rest - mode)));
        let out = if self.outliers_up { rest } else { -rest };
        let outlier = if out > 0.0 { (-out.min(50.0) / REACH).exp() / REACH } else { 1e-9 };
        (1.0 - OUTLIERS) * usual + OUTLIERS * outlier
    }

    /// Returns the probability of a measurement above `rest`.
    fn above(self, rest: f64, s: f64) -> f64 {
        let usual = |rest: f64| {
            let z = rest / s;
            let spread = 1.0 + z * z / 4.0;
            0.5 - PEAK * z / spread.sqrt() * (1.0 - z * z / (12.0 * spread))
        };
        let usual = self.mode.map_or_else(|| usual(rest), |mode| 0.5 * (usual(rest) + usual(rest - mode)));
        let tail = (-rest.abs() / REACH).exp();
        let outlier = match (self.outliers_up, rest > 0.0) {
            (true, true) => tail,
            (true, false) => 1.0,
            (false, true) => 0.0,
            (false, false) => 1.0 - tail,
        };
        ((1.0 - OUTLIERS) * usual + OUTLIERS * outlier).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_the_integral_of_the_density() {
        for (outliers_up, mode) in [(true, None), (false, None), (true, Some(0.2))] {
            let model = Model { outliers_up, mode };
            let step = 1e-3;
            for rest in [-0.4, -0.05, 0.0, 0.02, 0.5] {
                let tail: f64 =
                    (0..20_000).map(|at| model.density(rest + (f64::from(at) + 0.5) * step, 0.1) * step).sum();
                assert!((tail - model.above(rest, 0.1)).abs() < 2e-3, "{tail} at {rest}");
            }
        }
    }
}
