//! The error rates of a test: one known pair of rates, or a distribution over many pairs.
//!
//! FACF (Section 3) has a single rate, the probability that a healthy revision fails. Here, a broken revision can also pass.

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::tally::RunCounts;

/// One error rate of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rate {
    /// A known rate, in [0, 1).
    Known(f64),
    /// Counts of past runs. The search averages over the rates that explain them.
    History(RunCounts),
    /// An unknown rate. The search averages over all rates.
    Estimate,
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Rate::Known(rate) => rate.serialize(serializer),
            Rate::History(tally) => tally.serialize(serializer),
            Rate::Estimate => "estimate".serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const EXPECTED: &str = "a number in [0, 1), counts like {\"passes\": 95, \"fails\": 5}, or \"estimate\"";
        let value = Value::deserialize(deserializer)?;
        let wrong = || D::Error::custom(format!("invalid rate, expected {EXPECTED}"));
        match &value {
            Value::Number(number) => number.as_f64().map(Rate::Known).ok_or_else(wrong),
            Value::String(word) if word == "estimate" => Ok(Rate::Estimate),
            Value::Object(_) => serde_json::from_value(value).map(Rate::History).map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }
}

/// An invalid rate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RateError {
    /// `flake_rate`, `min_flake_rate`, or `false_pass_rate`.
    pub(crate) argument: &'static str,
    /// The given value.
    pub(crate) value: f64,
    /// The expected values.
    pub(crate) expected: String,
}

/// A pair of rates and its weight.
#[derive(Debug, Clone)]
struct Point {
    flake: f64,
    /// Logarithms of the rates and of their complements.
    ln_flake: f64,
    ln_health: f64,
    ln_false_pass: f64,
    ln_break: f64,
    false_pass: f64,
    ln_weight: f64,
}

/// Pairs of rates with prior weights. A single pair if both rates are known.
#[derive(Debug, Clone)]
pub(crate) struct Rates {
    points: Vec<Point>,
}

/// The likelihood of the evidence under a hypothesis, and the rates for the next run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fit {
    /// The natural logarithm of the likelihood of the evidence.
    pub(crate) ln_likelihood: f64,
    /// The probability that the next run of a healthy revision fails.
    pub(crate) flake: f64,
    /// The probability that the next run of a broken revision passes.
    pub(crate) false_pass: f64,
}

impl Rates {
    /// The rates for `flake_rate` and `false_pass_rate`, with at least `floor` for the flake rate.
    pub(crate) fn new(flake: Rate, floor: f64, false_pass: Rate) -> Result<Self, RateError> {
        Rates::over(flake, floor, false_pass, &FLAKE_GRID, &FALSE_PASS_GRID)
    }

    /// Rates of an oracle that is rarely wrong. The grid has lower rates than that of [`Rates::new`], for searches with many
    /// runs.
    pub(crate) fn rare(flake: Rate, false_pass: Rate) -> Result<Self, RateError> {
        Rates::over(flake, 0.0, false_pass, &RARE_GRID, &RARE_GRID)
    }

    fn over(
        flake: Rate,
        floor: f64,
        false_pass: Rate,
        flake_grid: &[(f64, f64)],
        false_pass_grid: &[(f64, f64)],
    ) -> Result<Self, RateError> {
        let fault = |argument, value: f64, expected: &str| RateError { argument, value, expected: expected.to_owned() };
        if !(0.0..1.0).contains(&floor) {
            return Err(fault("min_flake_rate", floor, "a rate in [0, 1)"));
        }
        for (argument, rate) in [("flake_rate", flake), ("false_pass_rate", false_pass)] {
            match rate {
                Rate::Known(rate) if !(0.0..1.0).contains(&rate) => {
                    let expected = "a rate in [0, 1), past counts, or \"estimate\". A deterministic test has rate 0";
                    return Err(fault(argument, rate, expected));
                }
                _ => {}
            }
        }
        let flakes = spread(flake, flake_grid);
        let false_passes = spread(false_pass, false_pass_grid);
        let mut points = Vec::with_capacity(flakes.len() * false_passes.len());
        for &(flake, flake_weight) in &flakes {
            let flake = flake.max(floor);
            for &(false_pass, weight) in &false_passes {
                if flake + false_pass < 1.0 {
                    points.push(Point::new(flake, false_pass, flake_weight + weight));
                }
            }
        }
        if points.is_empty() {
            let expected =
                "rates with a sum below 1. With a larger sum, a failure would mean that the revision is good";
            return match (flake, false_pass) {
                (Rate::Known(_), Rate::Known(rate)) => Err(fault("false_pass_rate", rate, expected)),
                (Rate::Known(rate), _) => Err(fault("flake_rate", rate.max(floor), expected)),
                _ => Err(fault("min_flake_rate", floor, expected)),
            };
        }
        Ok(Rates::of(points))
    }

    /// Normalizes the weights to sum to 1, so that evidence under different priors can be compared.
    fn of(mut points: Vec<Point>) -> Self {
        let total = ln_sum(&points.iter().map(|point| point.ln_weight).collect::<Vec<f64>>());
        points.iter_mut().for_each(|point| point.ln_weight -= total);
        Rates { points }
    }

    /// A mixture of these rates and, with probability `chance`, others.
    pub(crate) fn or(&self, others: &Rates, chance: f64) -> Self {
        let scaled = |rates: &Rates, by: f64| -> Vec<Point> {
            let scaled = |point: &Point| Point { ln_weight: point.ln_weight + by.ln(), ..point.clone() };
            rates.points.iter().map(scaled).collect()
        };
        Rates::of([scaled(self, 1.0 - chance), scaled(others, chance)].concat())
    }

    /// The rates with passes and failures exchanged, for a search for a fix. Healthy revisions then count as broken.
    pub(crate) fn swapped(&self) -> Self {
        let swap = |point: &Point| Point::new(point.false_pass, point.flake, point.ln_weight);
        Rates { points: self.points.iter().map(swap).collect() }
    }

    /// The two rates, if both are known.
    pub(crate) fn known(&self) -> Option<(f64, f64)> {
        match &self.points[..] {
            [point] => Some((point.flake, point.false_pass)),
            _ => None,
        }
    }

    /// The highest flake rate and the highest rate of false passes that are plausible a priori.
    pub(crate) fn worst(&self) -> (f64, f64) {
        let worst = |rate: fn(&Point) -> f64| {
            let mut rates: Vec<(f64, f64)> =
                self.points.iter().map(|point| (rate(point), point.ln_weight.exp())).collect();
            rates.sort_by(|one, other| other.0.total_cmp(&one.0));
            let mut above = 0.0;
            let reached = rates.iter().find(|(_, weight)| {
                above += weight;
                above >= RARE
            });
            reached.map_or(0.0, |found| found.0)
        };
        (worst(|point| point.flake), worst(|point| point.false_pass))
    }

    /// Whether a broken revision never passes.
    pub(crate) fn is_one_sided(&self) -> bool {
        self.points.iter().all(|point| point.false_pass == 0.0)
    }

    /// The likelihood of runs at healthy and at broken revisions. O(pairs of rates).
    pub(crate) fn fit(&self, healthy: RunCounts, broken: RunCounts) -> Fit {
        if let [point] = &self.points[..] {
            let ln_likelihood = point.ln_likelihood(healthy, broken);
            return Fit { ln_likelihood, flake: point.flake, false_pass: point.false_pass };
        }
        let lns: Vec<f64> =
            self.points.iter().map(|point| point.ln_weight + point.ln_likelihood(healthy, broken)).collect();
        let most = lns.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most == f64::NEG_INFINITY {
            return Fit { ln_likelihood: most, flake: 0.0, false_pass: 0.0 };
        }
        let (mut sum, mut flake, mut false_pass) = (0.0, 0.0, 0.0);
        for (point, ln) in self.points.iter().zip(&lns) {
            // After many runs, most pairs are so unlikely that they vanish in rounding.
            if ln - most < LN_LOST {
                continue;
            }
            let weight = (ln - most).exp();
            sum += weight;
            flake += weight * point.flake;
            false_pass += weight * point.false_pass;
        }
        Fit { ln_likelihood: most + sum.ln(), flake: flake / sum, false_pass: false_pass / sum }
    }

    /// The natural logarithm of the likelihood of these runs, if each revision is healthy or broken independently, with equal
    /// probability. O(pairs of rates x revisions).
    pub(crate) fn each_by_itself(&self, revisions: impl Iterator<Item = RunCounts> + Clone) -> f64 {
        let none = RunCounts::default();
        let either = |point: &Point, runs: RunCounts| {
            ln_sum(&[point.ln_likelihood(runs, none), point.ln_likelihood(none, runs)]) - std::f64::consts::LN_2
        };
        let at = |point: &Point| point.ln_weight + revisions.clone().map(|runs| either(point, runs)).sum::<f64>();
        ln_sum(&self.points.iter().map(at).collect::<Vec<f64>>())
    }
}

/// The natural logarithm of a weight that vanishes next to 1.
const LN_LOST: f64 = -50.0;

impl Point {
    fn new(flake: f64, false_pass: f64, ln_weight: f64) -> Self {
        Point {
            flake,
            false_pass,
            ln_flake: flake.ln(),
            ln_health: (-flake).ln_1p(),
            ln_false_pass: false_pass.ln(),
            ln_break: (-false_pass).ln_1p(),
            ln_weight,
        }
    }

    fn ln_likelihood(&self, healthy: RunCounts, broken: RunCounts) -> f64 {
        power(healthy.fails, self.ln_flake)
            + power(healthy.passes, self.ln_health)
            + power(broken.passes, self.ln_false_pass)
            + power(broken.fails, self.ln_break)
    }
}

/// The logarithm of the sum of numbers with these logarithms.
fn ln_sum(lns: &[f64]) -> f64 {
    let most = lns.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY { most } else { most + lns.iter().map(|ln| (ln - most).exp()).sum::<f64>().ln() }
}

/// `count` times a logarithm. 0 if the count is 0, whatever the logarithm.
fn power(count: u32, ln: f64) -> f64 {
    if count == 0 { 0.0 } else { f64::from(count) * ln }
}

/// Rates with the logarithms of their weights.
fn spread(rate: Rate, grid: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let points: Vec<(f64, f64)> = match rate {
        Rate::Known(rate) => return vec![(rate, 0.0)],
        Rate::Estimate => grid.iter().map(|&(rate, weight)| (rate, weight.ln())).collect(),
        // A uniform prior in the rate, on points that are evenly spaced in its log odds.
        Rate::History(seen) => (0..HISTORY_POINTS)
            .map(|place| {
                let odds =
                    (HISTORY_LOW + (HISTORY_HIGH - HISTORY_LOW) * place as f64 / (HISTORY_POINTS - 1) as f64).exp();
                let rate = odds / (1.0 + odds);
                let (fails, passes) = (f64::from(seen.fails), f64::from(seen.passes));
                (rate, (fails + 1.0) * rate.ln() + (passes + 1.0) * (-rate).ln_1p())
            })
            .collect(),
    };
    let most = points.iter().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
    points.into_iter().filter(|point| point.1 > most - NEGLIGIBLE).map(|(rate, ln)| (rate, ln - most)).collect()
}

/// Rates are left out if they are less likely than the most likely rate by this exponent of e.
const NEGLIGIBLE: f64 = 25.0;

/// The highest rates count as implausible while their total prior probability is below this value.
const RARE: f64 = 0.05;

/// The number of points for rates from past runs, and the range of their log odds (0.00003 to 0.99997).
const HISTORY_POINTS: usize = 176;
const HISTORY_LOW: f64 = -10.5;
const HISTORY_HIGH: f64 = 10.5;

/// Flake rates with prior weights. Most tests never flake (0.62 at 0). Others flake at any rate (0.3 spread evenly over 0 to 0.6,
/// as Gauss-Legendre nodes). An unknown rate must not be underestimated (0.1 at 0.55, slightly above the highest rate that most
/// results should withstand). Few tests are worse, and their rates must not be underestimated (0.035 from 0.7 to 0.95).
const FLAKE_GRID: [(f64, f64); 14] = [
    (0.0, 0.62),
    (0.011_913, 0.015_184_3),
    (0.061_000_1, 0.033_357_2),
    (0.142_34, 0.047_056),
    (0.244_97, 0.054_402_6),
    (0.355_03, 0.054_402_6),
    (0.457_66, 0.047_056),
    (0.539, 0.033_357_2),
    (0.55, 0.1),
    (0.588_087, 0.015_184_3),
    (0.7, 0.01),
    (0.8, 0.01),
    (0.9, 0.01),
    (0.95, 0.005),
];

/// Rates of an oracle that is rarely wrong, with prior weights.
const RARE_GRID: [(f64, f64); 8] =
    [(0.0, 0.3), (0.0003, 0.1), (0.001, 0.1), (0.003, 0.1), (0.01, 0.1), (0.03, 0.1), (0.1, 0.1), (0.25, 0.1)];

/// Rates of false passes, with prior weights.
const FALSE_PASS_GRID: [(f64, f64); 6] = [(0.0, 0.5), (0.02, 0.1), (0.05, 0.1), (0.1, 0.1), (0.2, 0.1), (0.35, 0.1)];
