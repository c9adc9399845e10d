//! The places of measurements in a picture: revisions from left to right, and numbers from bottom to top.

use firstbad::metric::{MetricChange, SeriesPoint, amount};
use firstbad::{ChangeReport, Step};

use super::words::signed;

/// The numbers of one metric along the history.
#[derive(Debug)]
pub(super) struct Curve<'a> {
    pub(super) of: &'a MetricChange,
    report: &'a ChangeReport,
    /// The measured revisions with their places from 0 to 1, oldest first.
    pub(super) points: Vec<(f64, &'a SeriesPoint)>,
    /// The steps, oldest first.
    pub(super) jumps: Vec<Jump<'a>>,
    /// The lowest and the highest number that a picture shows.
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A commit that changed the number.
#[derive(Debug)]
pub(super) struct Jump<'a> {
    pub(super) step: &'a Step,
    /// The letter of the step. A single step has none.
    pub(super) name: String,
    /// The place of the commit.
    pub(super) at: f64,
    /// The place of the fitted step, between the commit and the measured revision before it.
    pub(super) from: f64,
    /// The place of the next step, or 1.
    pub(super) to: f64,
    /// The limits of the number after the step.
    pub(super) band: (f64, f64),
}

impl<'a> Curve<'a> {
    /// Places the measurements. Returns `None` without any.
    pub(super) fn new(report: &'a ChangeReport, of: &'a MetricChange) -> Option<Curve<'a>> {
        let mut series: Vec<&SeriesPoint> = of.series.iter().filter(|point| !point.values.is_empty()).collect();
        series.sort_by_key(|point| point.position);
        let newest = series.last()?.position.max(report.suspects as u64);
        let places = places(series.iter().map(|point| point.position), newest);
        let points: Vec<(f64, &SeriesPoint)> = places.into_iter().zip(series).collect();
        let mut curve = Curve { of, report, points, jumps: Vec::new(), low: 0.0, high: 0.0 };
        curve.jumps = curve.jumps();
        (curve.low, curve.high) = curve.range()?;
        Some(curve)
    }

    fn jumps(&self) -> Vec<Jump<'a>> {
        let mut jumps: Vec<Jump> = self.of.steps.iter().filter_map(|step| self.jump(step)).collect();
        jumps.sort_by(|one, other| one.at.total_cmp(&other.at));
        for place in 1..jumps.len() {
            jumps[place - 1].to = jumps[place].from;
        }
        jumps
    }

    fn jump(&self, step: &'a Step) -> Option<Jump<'a>> {
        let place = self.points.iter().position(|(_, point)| point.revision == step.commit)?;
        let name = self.of.steps.iter().position(|one| std::ptr::eq(one, step)).unwrap_or_default();
        let (at, point) = self.points[place];
        let before = place.checked_sub(1).map_or(at, |before| self.points[before].0);
        let level = point.fitted.unwrap_or(step.after) - step.change;
        let band = (level + step.interval.0, level + step.interval.1);
        Some(Jump { step, name: letter(self.of, name), at, from: f64::midpoint(before, at), to: 1.0, band })
    }

    fn range(&self) -> Option<(f64, f64)> {
        // A wide interval of a step must not hide the measurements, so intervals do not count.
        let points = self.points.iter().flat_map(|(_, point)| point.values.iter().copied().chain(point.fitted));
        let numbers = points.filter(|number| number.is_finite());
        let (low, high) =
            numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)));
        let room = match high - low {
            room if room > 0.0 => 0.06 * room,
            _ if low == 0.0 => 1.0,
            _ => 0.05 * low.abs(),
        };
        (low.is_finite() && room.is_finite()).then_some((low - room, high + room))
    }

    /// Returns the place of a number from 0 for the lowest to 1 for the highest.
    pub(super) fn height(&self, number: f64) -> f64 {
        ((number - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Returns whether a number of a revision is only a limit.
    pub(super) fn is_limit(&self, point: &SeriesPoint, value: usize) -> bool {
        let place = point.observations.get(value).and_then(|&place| usize::try_from(place).ok());
        let observed = place.and_then(|place| self.report.observations.get(place));
        point.censored > 0 && observed.is_none_or(|one| one.observation.censored)
    }

    /// Returns the corners of the fitted line, from left to right.
    pub(super) fn fitted(&self) -> Vec<(f64, f64)> {
        let mut corners: Vec<(f64, f64)> = Vec::new();
        let fitted = self.points.iter().filter_map(|(at, point)| Some((*at, point.fitted?)));
        for (at, number) in fitted.filter(|(_, number)| number.is_finite()) {
            if let Some(&(before, last)) = corners.last()
                && last != number
            {
                let middle = f64::midpoint(before, at);
                corners.extend([(middle, last), (middle, number)]);
            }
            corners.push((at, number));
        }
        corners
    }

    /// Returns the numbers of the tick labels, ascending, with their labels.
    pub(super) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        // Long times are in minutes.
        let base = if self.of.unit.as_deref() == Some("s") && self.high >= 600.0 { 60.0 } else { 1.0 };
        let least = (self.high - self.low) / base / most.max(1) as f64;
        let ten = 10_f64.powf(least.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * ten).find(|step| *step >= least);
        let step = step.unwrap_or(least) * base;
        let first = (self.low / step).ceil();
        let numbers = (0..=most).map(|tick| (first + tick as f64) * step).filter(|number| *number <= self.high);
        let numbers: Vec<f64> = numbers.filter(|number| number.is_finite()).collect();
        let unit = self.of.unit.as_deref();
        let labels: Vec<String> = numbers.iter().map(|number| amount(number + 0.0, unit)).collect();
        // Close numbers have equal labels, so they are relative to the first one.
        let label = |place: usize| match labels.windows(2).any(|pair| pair[0] == pair[1]) && place > 0 {
            true => signed(&amount(numbers[place] - numbers[0], unit)),
            false => labels[place].clone(),
        };
        (0..numbers.len()).map(|place| (numbers[place], label(place))).collect()
    }
}

/// Returns the name of a step if there are several: `A` for the largest change.
pub(crate) fn letter(of: &MetricChange, place: usize) -> String {
    match of.steps.len() {
        0 | 1 => String::new(),
        _ => crate::draw::letter(place).map_or_else(|| (place + 1).to_string(), String::from),
    }
}

/// The measurements of one endpoint in the order in which they were made.
#[derive(Debug)]
pub(super) struct Controls<'a> {
    pub(super) end: &'a str,
    pub(super) is_bad: bool,
    /// The place of each number among the observations, and the number.
    pub(super) numbers: Vec<(u64, f64)>,
    pub(super) median: f64,
}

/// Returns the measurements of the endpoints with at least three of them.
pub(super) fn controls<'a>(report: &'a ChangeReport, of: &MetricChange) -> Vec<Controls<'a>> {
    let ends = report.good.iter().take(1).map(|good| (good, false)).chain([(&report.bad, true)]);
    let controls = ends.filter_map(|(end, is_bad)| {
        let point = super::told::at(of, end).filter(|point| point.values.len() > 2)?;
        let order = |place: usize| point.observations.get(place).copied().unwrap_or(place as u64);
        let numbers = point.values.iter().enumerate().map(|(place, number)| (order(place), *number)).collect();
        Some(Controls { end, is_bad, numbers, median: point.median })
    });
    controls.collect()
}

/// Returns the places of positions from 0 to 1. The distance of two measured revisions grows with the logarithm of the number of
/// commits between them, so that neighbors in a long history remain apart.
fn places(positions: impl Iterator<Item = u64>, newest: u64) -> Vec<f64> {
    let (mut sum, mut last) = (0.0, 0);
    let mut places: Vec<f64> = positions
        .map(|position| {
            sum += distance(position - last);
            last = position;
            sum
        })
        .collect();
    let width = sum + distance(newest.saturating_sub(last));
    let is_single = width == 0.0;
    places.iter_mut().for_each(|place| *place = if is_single { 0.5 } else { *place / width });
    places
}

fn distance(commits: u64) -> f64 {
    if commits == 0 { 0.0 } else { 1.0 + 0.5 * (commits as f64).log2() }
}

/// Returns at most so many places of a list, evenly spaced, with the first and the last.
pub(super) fn thinned(all: usize, most: usize) -> Vec<usize> {
    if all <= most { (0..all).collect() } else { (0..most).map(|place| place * (all - 1) / (most - 1)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_remain_apart_in_a_long_history() {
        let placed = places([0, 511, 512, 513, 1024].into_iter(), 1024);
        assert_eq!((placed[0], placed[4]), (0.0, 1.0));
        assert!(placed.windows(2).all(|pair| pair[1] - pair[0] > 0.07), "{placed:?}");
        assert_eq!(places([5].into_iter(), 5), [1.0]);
        assert_eq!(places([0].into_iter(), 0), [0.5]);
        assert_eq!(thinned(3, 5), [0, 1, 2]);
        assert_eq!(thinned(10_001, 3), [0, 5000, 10_000]);
    }
}
