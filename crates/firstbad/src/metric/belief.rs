//! The probability of each suspect, given the measurements.

use super::classes::Classes;
use super::drift;
use super::hypotheses::{NO_CHANGE, relative, sizes};
use super::likelihood::Model;
use super::modes::Modes;
use super::noise::{MEDIAN, Measured};
use super::part::Part;
use super::scale::median;
use super::split::Split;

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
        let places: Vec<usize> = measured.iter().filter_map(|one| classes.index(one.node)).collect();
        let split = Split::new(&classes, measured, &places);
        let still = steady(&classes, split.as_ref(), (measured, &places), model, least);
        let drift = split.as_ref().filter(|_| measured.len() >= ENOUGH_FOR_DRIFT).map(|split| {
            let levels = split.without_outliers(&classes, measured, &places, model);
            drift::evidence(&classes, &levels, least, still.modes)
        });
        let (mut each, no_change) = match &drift {
            Some(drift) if drift.probability > DRIFTS => (drift.each.clone(), drift.no_change),
            _ => (still.each, still.no_change),
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

/// The evidence if the machine is steady. `each` and `no_change` have the same unknown factor.
struct Steady {
    each: Vec<f64>,
    no_change: f64,
    /// The logarithm of the evidence for two modes or one, in relation to one mode.
    modes: f64,
}

fn steady(classes: &Classes, split: Option<&Split>, seen: (&[Measured], &[usize]), model: Model, least: f64) -> Steady {
    let measured = seen.0;
    let mut sorted: Vec<f64> = measured.iter().map(|one| one.seen.level).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = median(&sorted);
    let off: Vec<f64> = sorted.iter().map(|level| (level - middle).abs()).collect();
    let around = (MEDIAN * median(&off)).max(1e-4);
    let (level, scale) = split.map_or((middle, around), |split| (split.good, split.scale));
    let count = measured.len();
    let sizes = sizes(least, &sorted);
    let grids = (Grid::new(level, scale, count), Grid::new(middle, around, count));
    let (mut logs, mut still) = likelihoods(classes, seen, model, &sizes, &grids);
    let Some(modes) = Modes::new(measured) else {
        let (each, no_change) = relative(&logs, still);
        return Steady { each, no_change, modes: 0.0 };
    };
    let one = total(classes, &logs, still);
    let level = modes.lower(measured.iter().zip(seen.1).filter_map(|(one, &place)| {
        let is_low = split.is_none_or(|split| !classes.changes[split.class].contains(place));
        is_low.then_some(one.seen.level)
    }));
    let all = modes.lower(measured.iter().map(|one| one.seen.level));
    let grids = (Grid::new(level, modes.scale, count), Grid::new(all, modes.scale, count));
    let model = Model { mode: Some(modes.distance), ..model };
    let (others, other) = likelihoods(classes, seen, model, &sizes, &grids);
    let both = |one: f64, other: f64| log_add(one + (1.0 - TWO_MODES).ln(), other + TWO_MODES.ln());
    logs.iter_mut().zip(others).for_each(|(one, other)| *one = both(*one, other));
    still = both(still, other);
    let (each, no_change) = relative(&logs, still);
    Steady { each, no_change, modes: total(classes, &logs, still) - one }
}

/// Returns the logarithm of the evidence for all classes and for no change.
fn total(classes: &Classes, logs: &[f64], still: f64) -> f64 {
    let changed = logs.iter().zip(&classes.shares).map(|(log, share)| log + ((1.0 - NO_CHANGE) * share).ln());
    changed.fold(still + NO_CHANGE.ln(), log_add)
}

fn log_add(one: f64, other: f64) -> f64 {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

/// The prior probability of a machine with two modes.
const TWO_MODES: f64 = 0.1;

/// Returns the logarithm of the likelihood of each class, and of no change, as means over grids.
fn likelihoods(
    classes: &Classes,
    (measured, places): (&[Measured], &[usize]),
    model: Model,
    sizes: &[f64],
    (changed, unchanged): &(Grid, Grid),
) -> (Vec<f64>, f64) {
    let width = sizes.len();
    // For each point of the grid: the likelihood without the change, and what the change adds at each measured revision.
    let points: Vec<(f64, f64)> = changed.points().collect();
    let mut base = vec![0.0; points.len()];
    let mut gains = vec![vec![0.0; points.len() * width]; classes.nodes.len()];
    for (one, &place) in measured.iter().zip(places) {
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
    let still: Vec<f64> = unchanged
        .points()
        .map(|(scale, level)| measured.iter().map(|one| model.log(one.seen, level, scale)).sum())
        .collect();
    ((0..classes.len()).map(of_class).collect(), log_mean(&still))
}

/// Returns the logarithm of the mean of exponentials.
fn log_mean(logs: &[f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + (logs.iter().map(|log| (log - most).exp()).sum::<f64>() / logs.len() as f64).ln()
}
