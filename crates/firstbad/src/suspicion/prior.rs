use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::ranking::{Ranking, Suspect};
use crate::error::Error;

/// The source of a suspect's weight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriorBy {
    /// The total score (Culprit Finder, Definition 11).
    #[default]
    Suspiciousness,
    /// The minimum distance (FACF, Section 3.3). For several tests, the weight is the mean over the tests.
    Distance,
}

impl FromStr for PriorBy {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "suspiciousness" => Ok(PriorBy::Suspiciousness),
            "distance" => Ok(PriorBy::Distance),
            _ => Err(Error::invalid("by", name, "\"suspiciousness\" or \"distance\"")),
        }
    }
}

/// Options for the conversion of a ranking into a prior. Source: FACF, Section 3.3.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PriorOptions {
    /// The source of the weights.
    pub by: PriorBy,
    /// The exponent of the scores. With 0, the prior is uniform. [`fit_sharpness`] computes the exponent from past cases.
    pub sharpness: f64,
    /// The part of the weight, in [0, 1], that is spread evenly, so that every suspect is possible.
    pub floor: f64,
    /// The total weight of the [unlikely](Ranking::unlikely) changes, in [0, 1). It is the probability that the build graph
    /// misses the effect of the culprit. Without unlikely changes, the suspects get this weight. Without suspects, there are no
    /// weights.
    pub unlikely: f64,
    /// Whether [excluded](Ranking::excluded) changes have weight 0, because they share the outcome of the suspect before them
    /// (FACF, Section 1). Otherwise, they count as unlikely.
    pub exclude: bool,
    /// Additional factors by change, at least 0. Each factor multiplies the weight of its change. Changes without a factor keep
    /// their weight.
    pub factors: BTreeMap<String, f64>,
}

impl Default for PriorOptions {
    fn default() -> Self {
        PriorOptions {
            by: PriorBy::default(),
            sharpness: 1.0,
            floor: 0.1,
            unlikely: 0.02,
            exclude: true,
            factors: BTreeMap::new(),
        }
    }
}

impl PriorOptions {
    /// Checks that every option is in its range.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if an option is out of range.
    pub fn check(&self) -> Result<(), Error> {
        if !self.sharpness.is_finite() || self.sharpness < 0.0 {
            return Err(Error::invalid("sharpness", self.sharpness, "a finite number, 0 or above"));
        }
        if !(0.0..=1.0).contains(&self.floor) {
            return Err(Error::invalid("floor", self.floor, "a part of the whole, in [0, 1]"));
        }
        if !(0.0..1.0).contains(&self.unlikely) {
            return Err(Error::invalid("unlikely", self.unlikely, "a part of the whole, in [0, 1)"));
        }
        match self.factors.iter().find(|(_, factor)| !factor.is_finite() || **factor < 0.0) {
            Some((change, factor)) => {
                Err(Error::invalid(format!("factors[{change:?}]"), factor, "a finite number, 0 or above"))
            }
            None => Ok(()),
        }
    }
}

impl Ranking {
    /// Returns a weight for every change, as a prior for [`CulpritConfig`](crate::CulpritConfig). Weights sum to 1. The map is
    /// empty if there are no suspects.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if an option is out of range.
    pub fn prior(&self, options: &PriorOptions) -> Result<BTreeMap<String, f64>, Error> {
        options.check()?;
        let mut weights = BTreeMap::new();
        if self.suspects.is_empty() {
            return Ok(weights);
        }
        let rest = if options.exclude { &[][..] } else { &self.excluded };
        let unlikely: Vec<&String> = self.unlikely.iter().chain(rest).collect();
        let part = if unlikely.is_empty() { 0.0 } else { options.unlikely };
        let factor = |change: &String| options.factors.get(change).copied().unwrap_or(1.0);
        let scores: Vec<f64> =
            self.suspects.iter().map(|suspect| strength(suspect, options.by).powf(options.sharpness)).collect();
        let total: f64 = scores.iter().sum();
        let count = self.suspects.len() as f64;
        // Each change has its weight before factors and an even part of the weight of its group.
        let suspects = self.suspects.iter().zip(scores).map(|(suspect, score)| {
            let share = if total > 0.0 { score / total } else { 0.0 };
            (&suspect.change, (1.0 - part) * share, (1.0 - part) / count)
        });
        let share = part / unlikely.len() as f64;
        let all: Vec<(&String, f64, f64)> =
            suspects.chain(unlikely.into_iter().map(|change| (change, share, share))).collect();
        let whole: f64 = all.iter().map(|(change, weight, _)| weight * factor(change)).sum();
        // If every factor is 0, all changes are equally likely.
        let floor = if whole > 0.0 { options.floor } else { 1.0 };
        for (change, weight, even) in all {
            let share = if whole > 0.0 { weight * factor(change) / whole } else { 0.0 };
            weights.insert(change.clone(), (1.0 - floor) * share + floor * even);
        }
        if options.exclude {
            weights.extend(self.excluded.iter().map(|change| (change.clone(), 0.0)));
        }
        let sum: f64 = weights.values().sum();
        weights.values_mut().for_each(|weight| *weight /= sum);
        Ok(weights)
    }
}

fn strength(suspect: &Suspect, by: PriorBy) -> f64 {
    match by {
        PriorBy::Suspiciousness => suspect.suspiciousness,
        PriorBy::Distance => suspect.closeness,
    }
}

/// Returns the sharpness, in [0, 8], that maximizes the likelihood of known culprits in past rankings. Cases whose culprit is not
/// a suspect are ignored. `floor` is that of [`PriorOptions`].
#[must_use]
pub fn fit_sharpness(cases: &[(&Ranking, &str)], by: PriorBy, floor: f64) -> f64 {
    const STEPS: u32 = 160;
    let known = |(ranking, culprit): &(&Ranking, &str)| {
        let strengths: Vec<f64> = ranking.suspects.iter().map(|suspect| strength(suspect, by)).collect();
        Some((ranking.place(culprit)?, strengths))
    };
    let cases: Vec<(usize, Vec<f64>)> = cases.iter().filter_map(known).collect();
    if !(0.0..=1.0).contains(&floor) {
        return 0.0;
    }
    // The weight of the culprit in `Ranking::prior`.
    let likelihood = |sharpness: f64| -> f64 {
        let chance = |(place, strengths): &(usize, Vec<f64>)| {
            let total: f64 = strengths.iter().map(|strength| strength.powf(sharpness)).sum();
            let even = 1.0 / strengths.len() as f64;
            let weight = if total > 0.0 {
                (1.0 - floor) * strengths[*place].powf(sharpness) / total + floor * even
            } else {
                even
            };
            weight.max(f64::MIN_POSITIVE).ln()
        };
        cases.iter().map(chance).sum()
    };
    // The likelihood can have several maxima and is cheap to compute, so all steps are tried. The smallest of equal results wins.
    let tried = (0..=STEPS).map(|step| f64::from(step) * 8.0 / f64::from(STEPS));
    let best = tried
        .map(|sharpness| (likelihood(sharpness), sharpness))
        .fold((f64::NEG_INFINITY, 0.0), |best, next| if next.0 > best.0 + 1e-12 { next } else { best });
    best.1
}
