//! A machine that becomes slower or faster during the search: a random walk beside the change.
//!
//! The model is generalized least squares. A level is a base, the walk, the change, and normal noise. The base is unknown, so that it
//! is left out of the residuals.

use super::classes::Classes;
use super::hypotheses::{NO_CHANGE, relative, sizes};
use super::noise::{MEDIAN, Measured};
use super::scale::{median, quantile};

/// The steps of the walk in relation to the noise, each with its prior.
const WALKS: [(f64, f64); 4] = [(0.0, 0.7), (0.1, 0.1), (0.3, 0.1), (1.0, 0.1)];

/// The deviations of the noise in relation to the estimate.
const DEVIATIONS: [f64; 3] = [0.5, 1.0, 2.0];

/// The evidence under the model with a walk.
pub(super) struct Evidence {
    /// The evidence for each class, up to a factor.
    pub(super) each: Vec<f64>,
    /// The evidence for no change, up to the same factor.
    pub(super) no_change: f64,
    /// The probability that there is a walk.
    pub(super) probability: f64,
}

/// Weighs a walk against a steady machine. `modes` is the logarithm of what two modes add to the evidence for a steady machine.
pub(super) fn evidence(classes: &Classes, measured: &[Measured], least: f64, modes: f64) -> Evidence {
    let levels: Vec<f64> = measured.iter().map(|one| one.seen.level).collect();
    let mut sorted = levels.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let sizes = sizes(least, &sorted);
    let spread = quantile(&sorted, 0.9) - quantile(&sorted, 0.1);
    let middle = median(&sorted);
    // Normal noise has no outliers.
    let (low, high) = (middle - (1.5 * spread).max(0.5), middle + (1.5 * spread).max(0.8));
    let clipped: Vec<f64> = levels.iter().map(|level| level.clamp(low, high)).collect();
    let deviation = deviation_of_differences(&levels);
    let changed: Vec<Vec<f64>> = (0..classes.len())
        .map(|class| {
            let is_changed = |one: &Measured| {
                let index = classes.index(one.node);
                f64::from(u8::from(index.is_some_and(|index| classes.changes[class].contains(index))))
            };
            measured.iter().map(is_changed).collect()
        })
        .collect();
    // The logarithms by walk: of each class, and without a change.
    let mut logs: Vec<(Vec<f64>, f64)> = Vec::new();
    for (walk, prior) in WALKS {
        let whitened = Whitened::new(walk, &clipped, &changed);
        let weight = (prior / DEVIATIONS.len() as f64).ln();
        let mut of: Vec<(Vec<f64>, f64)> = Vec::new();
        for ratio in DEVIATIONS {
            of.push(whitened.logs(ratio * deviation, &sizes, weight));
        }
        let classes = (0..changed.len()).map(|class| log_sum(of.iter().map(|one| one.0[class]))).collect();
        logs.push((classes, log_sum(of.iter().map(|one| one.1))));
    }
    let total = |(each, no_change): &(Vec<f64>, f64)| {
        let changed = each.iter().zip(&classes.shares).map(|(log, share)| log + ((1.0 - NO_CHANGE) * share).ln());
        log_sum(changed.chain(std::iter::once(no_change + NO_CHANGE.ln())))
    };
    let still = total(&logs[0]) + modes.max(0.0);
    let all = log_sum(logs.iter().skip(1).map(total).chain(std::iter::once(still)));
    let summed: Vec<f64> = (0..changed.len()).map(|class| log_sum(logs.iter().map(|one| one.0[class]))).collect();
    let (each, no_change) = relative(&summed, log_sum(logs.iter().map(|one| one.1)));
    Evidence { each, no_change, probability: 1.0 - (still - all).exp() }
}

/// Returns the deviation of a measurement, from differences between neighbors in time.
fn deviation_of_differences(levels: &[f64]) -> f64 {
    let differences: Vec<f64> = levels.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let middle = median(&differences);
    let off: Vec<f64> = differences.iter().map(|one| (one - middle).abs()).collect();
    (MEDIAN * median(&off).max(1e-5 / MEDIAN) / std::f64::consts::SQRT_2).max(1e-4)
}

/// Sums of products of the whitened measurements, without the base.
struct Whitened {
    count: f64,
    /// The logarithm of the determinant's root.
    root: f64,
    /// The square of the whitened base.
    base: f64,
    /// The square of the levels.
    levels: f64,
    /// For each class, the square of its change and the product with the levels.
    classes: Vec<(f64, f64)>,
}

impl Whitened {
    fn new(walk: f64, levels: &[f64], changed: &[Vec<f64>]) -> Self {
        let count = levels.len();
        let covariance =
            |one: usize, other: usize| f64::from(u8::from(one == other)) + walk * walk * one.min(other) as f64;
        // The Cholesky factor, by rows.
        let mut factor: Vec<Vec<f64>> = Vec::with_capacity(count);
        for row in 0..count {
            let mut line: Vec<f64> = Vec::with_capacity(row + 1);
            for (column, above) in factor.iter().enumerate() {
                let rest = covariance(row, column) - dot(&line, above);
                line.push(rest / above[column]);
            }
            line.push((covariance(row, row) - dot(&line, &line)).max(1e-12).sqrt());
            factor.push(line);
        }
        let solve = |of: &[f64]| {
            let mut solved: Vec<f64> = Vec::with_capacity(count);
            for (line, value) in factor.iter().zip(of) {
                let sum: f64 = line.iter().zip(&solved).map(|(one, other)| one * other).sum();
                solved.push((value - sum) / line[solved.len()]);
            }
            solved
        };
        let ones = solve(&vec![1.0; count]);
        let base = dot(&ones, &ones);
        let without_base = |of: &[f64]| {
            let solved = solve(of);
            let level = dot(&ones, &solved) / base;
            solved.iter().zip(&ones).map(|(value, one)| value - level * one).collect::<Vec<f64>>()
        };
        let rest = without_base(levels);
        let class = |changed: &Vec<f64>| {
            let change = without_base(changed);
            (dot(&change, &change), dot(&change, &rest))
        };
        Whitened {
            count: count as f64,
            root: factor.iter().enumerate().map(|(row, line)| line[row].ln()).sum(),
            base,
            levels: dot(&rest, &rest),
            classes: changed.iter().map(class).collect(),
        }
    }

    /// Returns the logarithms of the likelihood for each class, as the mean over the sizes of the change, and without a change.
    fn logs(&self, deviation: f64, sizes: &[f64], weight: f64) -> (Vec<f64>, f64) {
        let variance = deviation * deviation;
        let shared = weight - self.root - self.count * deviation.ln() - 0.5 * (self.base / variance).ln();
        let log = |square: f64| shared - 0.5 * square / variance;
        let of_class = |&(square, product): &(f64, f64)| {
            let of_size = |&size: &f64| log(self.levels - 2.0 * size * product + size * size * square);
            log_sum(sizes.iter().map(of_size)) - (sizes.len() as f64).ln()
        };
        (self.classes.iter().map(of_class).collect(), log(self.levels))
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Returns the logarithm of the sum of exponentials.
fn log_sum(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + logs.map(|log| (log - most).exp()).sum::<f64>().ln()
}
