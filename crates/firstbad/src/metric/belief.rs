//! The probability of each suspect, given the measurements.

use super::classes::Classes;
use super::drift;
use super::likelihood::Model;
use super::noise::{MEAN, MEDIAN, Measured};
use super::part::Part;
use super::scale::{median, quantile};

/// The prior probability that nothing changed.
pub(super) const NO_CHANGE: f64 = 0.4;

/// From this number of measurements on, a drifting machine is an alternative.
const ENOUGH_FOR_DRIFT: usize = 8;

/// The probability of drift from which its model is used.
const DRIFTS: f64 = 0.75;

/// The probabilities in one part of the history.
pub(super) struct Belief {
    pub(super) classes: Classes,
    /// The probability of each class.
    pub(super) each: Vec<f64>,
    /// The probability that nothing changed.
    pub(super) no_change: f64,
    /// The probability that the machine drifts.
    pub(super) drift: f64,
}

impl Belief {
    pub(super) fn new(part: &Part, measured: &[Measured], model: Model, least: f64) -> Self {
        let classes = Classes::new(part, measured);
        let drift = (measured.len() >= ENOUGH_FOR_DRIFT).then(|| drift::evidence(&classes, measured, least));
        let (mut each, no_change) = match &drift {
            Some(drift) if drift.probability > DRIFTS => (drift.each.clone(), drift.no_change),
            _ => steady(&classes, measured, model, least),
        };
        let mut no_change = NO_CHANGE * no_change;
        each.iter_mut().zip(&classes.shares).for_each(|(one, share)| *one *= (1.0 - NO_CHANGE) * share);
        let all: f64 = each.iter().sum::<f64>() + no_change;
        each.iter_mut().for_each(|one| *one /= all);
        no_change /= all;
        Belief { classes, each, no_change, drift: drift.map_or(0.0, |drift| drift.probability) }
    }

    /// Returns the most probable class.
    pub(super) fn best(&self) -> usize {
        first_largest(&self.each)
    }

    /// Returns the probability of each suspect, by place.
    pub(super) fn by_suspect(&self, part: &Part) -> Vec<f64> {
        let of = |(place, &class): (usize, &u32)| {
            let share = self.classes.shares[class as usize];
            if share > 0.0 { self.each[class as usize] * part.shares[place] / share } else { 0.0 }
        };
        self.classes.of.iter().enumerate().map(of).collect()
    }
}

/// Returns the place of the largest value. Ties go to the first.
pub(super) fn first_largest(values: &[f64]) -> usize {
    let larger = |best: usize, next: usize| if values[next] > values[best] { next } else { best };
    (0..values.len()).reduce(larger).unwrap_or(0)
}

/// The sizes of a change that the search considers, evenly spaced on a logarithmic axis.
///
/// The grid reaches what the measurements show. Otherwise, a large change would look like noise.
pub(super) fn sizes(least: f64, levels: &[f64]) -> Vec<f64> {
    let most = std::f64::consts::LN_2.max(1.5 * (quantile(levels, 0.9) - quantile(levels, 0.1))).max(2.0 * least);
    let count = if most > 1.0 { 14 } else { 10 };
    let step = (most / least).ln() / f64::from(count - 1);
    (0..count).map(|place| least * (f64::from(place) * step).exp()).collect()
}

/// The scales and the levels at the good end around a first estimate.
struct Grid {
    scales: Vec<f64>,
    levels: Vec<f64>,
}

impl Grid {
    fn new(level: f64, scale: f64, count: usize) -> Self {
        let count = count as f64;
        let width = (4.0 / count.sqrt() + 0.25).min(1.4);
        let error = scale / (count.max(2.0) / 2.0).sqrt();
        Grid {
            scales: (0..5).map(|at| scale * (width * (f64::from(at) / 2.0 - 1.0)).exp()).collect(),
            levels: (0..11).map(|at| level + error * 4.0 * (f64::from(at) / 5.0 - 1.0)).collect(),
        }
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.scales.iter().flat_map(|&scale| self.levels.iter().map(move |&level| (scale, level)))
    }
}

/// Returns the evidence for each class, and for no change, if the machine is steady. Both have the same unknown factor.
fn steady(classes: &Classes, measured: &[Measured], model: Model, least: f64) -> (Vec<f64>, f64) {
    let mut sorted: Vec<f64> = measured.iter().map(|one| one.seen.level).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = median(&sorted);
    let off: Vec<f64> = sorted.iter().map(|level| (level - middle).abs()).collect();
    let around = (MEDIAN * median(&off)).max(1e-4);
    let (level, scale) = split(classes, measured).unwrap_or((middle, around));
    let (changed, unchanged) = (Grid::new(level, scale, measured.len()), Grid::new(middle, around, measured.len()));
    let sizes = sizes(least, &sorted);
    let places: Vec<usize> = measured.iter().filter_map(|one| classes.index(one.node)).collect();
    let width = sizes.len();
    // For each point of the grid: the likelihood without the change, and what the change adds at each measured revision.
    let points: Vec<(f64, f64)> = changed.points().collect();
    let mut base = vec![0.0; points.len()];
    let mut gains = vec![vec![0.0; points.len() * width]; classes.nodes.len()];
    for (one, &place) in measured.iter().zip(&places) {
        let gains = &mut gains[place];
        for (point, &(scale, level)) in points.iter().enumerate() {
            let without = model.log(one.seen, level, scale);
            base[point] += without;
            for (size, gain) in sizes.iter().zip(&mut gains[point * width..(point + 1) * width]) {
                *gain += model.log(one.seen, level + size, scale) - without;
            }
        }
    }
    let of_class = |class: usize| {
        let mut all: Vec<f64> = base.iter().flat_map(|&base| std::iter::repeat_n(base, width)).collect();
        for place in classes.changes[class].ones() {
            all.iter_mut().zip(&gains[place]).for_each(|(sum, gain)| *sum += gain);
        }
        log_mean(&all)
    };
    let logs: Vec<f64> = (0..classes.len()).map(of_class).collect();
    let still: Vec<f64> = unchanged
        .points()
        .map(|(scale, level)| measured.iter().map(|one| model.log(one.seen, level, scale)).sum())
        .collect();
    relative(&logs, log_mean(&still))
}

/// Returns the level at the good end and the scale of the noise for the split with the smallest absolute deviations.
fn split(classes: &Classes, measured: &[Measured]) -> Option<(f64, f64)> {
    let places: Vec<usize> = measured.iter().filter_map(|one| classes.index(one.node)).collect();
    let mut best: Option<(f64, f64, Vec<f64>)> = None;
    for changes in &classes.changes {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for (one, &place) in measured.iter().zip(&places) {
            if changes.contains(place) { &mut high } else { &mut low }.push(one.seen.level);
        }
        if low.is_empty() || high.is_empty() {
            continue;
        }
        let good = median(&low);
        let bad = median(&high).max(good);
        let off = low.iter().map(|level| (level - good).abs()).chain(high.iter().map(|level| (level - bad).abs()));
        let off: Vec<f64> = off.collect();
        let sum: f64 = off.iter().sum();
        if best.as_ref().is_none_or(|best| sum < best.0) {
            best = Some((sum, good, off));
        }
    }
    let (sum, good, off) = best?;
    let count = off.len() as f64;
    // The median alone misses noise if most measurements of a revision agree.
    let (robust, mean) = (MEDIAN * median(&off), MEAN * sum / count);
    Some((good, (robust.max(0.3 * mean) * mean).sqrt().max(1e-4) * (1.0 + 1.5 / count)))
}

/// Returns the logarithm of the mean of exponentials.
fn log_mean(logs: &[f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + (logs.iter().map(|log| (log - most).exp()).sum::<f64>() / logs.len() as f64).ln()
}

/// Returns the likelihoods in relation to the largest one.
pub(super) fn relative(logs: &[f64], other: f64) -> (Vec<f64>, f64) {
    let most = logs.iter().copied().fold(other, f64::max);
    (logs.iter().map(|log| (log - most).exp()).collect(), (other - most).exp())
}
