//! Algorithm NextRuns of FACF (Henderson et al. 2023), over the cumulative posterior or the expected gain.
//!
//! ```text
//!     NextRuns(dist, k)
//!         cdf = cumulativeDistribution(dist)
//!         thresholds = { i / (k+1) | i = 1..k }
//!         runs = list()
//!         for each threshold
//!             s_i = the first suspect with cdf[i] >= threshold
//! 10          if s_(i-1) is not in runs and cdf[i-1] > 0
//! 11              s_i = s_(i-1)
//!             append s_i to runs
//!         return runs
//! ```
//!
//! Lines 10 and 11 look for the passing run before the most likely culprit first. On a DAG, `cdf[i]` sums over the ancestors of
//! `s_i`, itself included, and `s_(i-1)` is its parent with the highest sum.

use super::belief::{Belief, Partition};
use super::costs::Costs;
use super::cumulated::{Around, Cumulated};
use super::testable::Testable;

/// The measure that the thresholds divide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The cumulative posterior.
    Posterior,
    /// The posterior weighted by the expected gain of a run of each suspect ("Choosing the Thresholds in NextRuns"). A pass is
    /// worth 1, a fail `1 - f`.
    ExpectedGain,
}

/// Returns the next `want` runs, given the runs in flight: the runs for all thresholds, without one for each run in flight.
pub(crate) fn next_runs(
    belief: &Belief,
    measure: Measure,
    costs: &Costs,
    confidence: f64,
    want: usize,
    flying: &[usize],
) -> Vec<usize> {
    let cdf = Cdf::new(belief, measure);
    let testable = Testable::new(belief, costs);
    let k = want + flying.len();
    // If passes can be false, no suspect is ever ruled out. Treat suspects below the accepted error as ruled out.
    let ruled_out = if belief.rates().is_one_sided() { 0.0 } else { 1.0 - confidence };
    let mut runs: Vec<usize> = Vec::with_capacity(k);
    for i in 1..=k {
        let threshold = cdf.total * i as f64 / (k + 1) as f64;
        let Around { below, above } = cdf.around(threshold);
        // Lines 10 and 11.
        let before = below.filter(|&place| !runs.contains(&place) && cdf.is_left(place, above, ruled_out));
        // A threshold on "no culprit" runs the bad revision again.
        let place = before.or(above).unwrap_or(belief.suspects.last());
        if testable.may_be_run(place) && costs.is_even() {
            runs.push(place);
            continue;
        }
        let share = |place: usize| {
            let at = cdf.at(place);
            (at / threshold).min((cdf.total - at) / (cdf.total - threshold)).max(0.0)
        };
        runs.extend(testable.best(&[place], share));
    }
    cdf.take_out(flying, &mut runs);
    runs.truncate(want);
    runs
}

/// A measure cumulated over the suspects, with "no culprit" last.
struct Cdf<'a> {
    belief: &'a Belief,
    /// The cumulative posterior.
    sums: Cumulated<'a>,
    /// The cumulative gain on a DAG.
    gains: Option<Cumulated<'a>>,
    /// For the gain on a line, the sum of the squared posteriors before each class, and the flake rate.
    gain: Option<(Vec<f64>, f64)>,
    total: f64,
}

impl<'a> Cdf<'a> {
    fn new(belief: &'a Belief, measure: Measure) -> Self {
        let sums = Cumulated::new(belief, |class| class.scale);
        if measure == Measure::Posterior {
            return Cdf { belief, sums, gains: None, gain: None, total: 1.0 };
        }
        // E[I] = P(pass) + (1 - f) P(fail) = (1 - f) (1 + f T), where T is the mass after the suspect. The paper's printed sum
        // does not follow from its likelihoods. The common factor is left out, and T is 0 after the last suspect.
        let flake = belief.mean(|class| class.flake);
        match belief.partition() {
            Partition::Line(ends) => {
                let mut squares = Vec::with_capacity(ends.len() + 1);
                squares.push(0.0);
                let mut from = 0;
                for (class, &end) in belief.classes().iter().zip(ends) {
                    let own = belief.suspects.squares_between(from, end);
                    squares.push(squares[squares.len() - 1] + class.scale * class.scale * own);
                    from = end;
                }
                let mut cdf = Cdf { belief, sums, gains: None, gain: Some((squares, flake)), total: 0.0 };
                cdf.total = cdf.at(belief.suspects.last()) + belief.none().mass;
                cdf
            }
            Partition::Dag(_) => {
                let gain = |place: usize| belief.posterior_at(place) * (1.0 + flake * (1.0 - sums.at(place)).max(0.0));
                let gains: Vec<f64> = (0..belief.suspects.len()).map(gain).collect();
                let total = gains.iter().sum::<f64>() + belief.none().mass;
                let gains = Some(Cumulated::weighing(belief, gains));
                Cdf { belief, sums, gains, gain: None, total }
            }
        }
    }

    /// Removes one run for each run in flight: the run of the same revision, or else the run that splits off the most similar
    /// probability.
    fn take_out(&self, flying: &[usize], runs: &mut Vec<usize>) {
        let mut others: Vec<usize> = Vec::new();
        for &place in flying {
            match runs.iter().position(|&other| other == place) {
                Some(at) => {
                    runs.remove(at);
                }
                None => others.push(place),
            }
        }
        for place in others {
            let apart = |other: &usize| (self.at(*other) - self.at(place)).abs();
            let nearest = (0..runs.len()).min_by(|&a, &b| apart(&runs[a]).total_cmp(&apart(&runs[b])));
            if let Some(nearest) = nearest {
                runs.remove(nearest);
            }
        }
    }

    fn at(&self, place: usize) -> f64 {
        self.value(place, self.measured().at(place))
    }

    fn measured(&self) -> &Cumulated<'a> {
        self.gains.as_ref().unwrap_or(&self.sums)
    }

    /// Whether the probability that the culprit is before `above` exceeds `ruled_out`. This uses the sum over all parents,
    /// because each parent of a merge alone can be too unlikely to be run.
    fn is_left(&self, place: usize, above: Option<usize>, ruled_out: f64) -> bool {
        let own = self.sums.at(place);
        let before = |above: usize| self.sums.at(above) - self.belief.posterior_at(above);
        own > 0.0 && above.map_or(own, |above| own.max(before(above))) > ruled_out
    }

    /// The measure up to a place, from the cumulative posterior.
    fn value(&self, place: usize, sum: f64) -> f64 {
        let (Some((squares, flake)), Partition::Line(ends)) = (&self.gain, self.belief.partition()) else { return sum };
        let class = ends.partition_point(|&end| end <= place);
        let start = if class == 0 { 0 } else { ends[class - 1] };
        let suspects = &self.belief.suspects;
        let scale = self.belief.classes()[class].scale;
        let own = suspects.squares_between(start, place + 1);
        let squared = squares[class] + scale * scale * own;
        // The sum of p (1 + f (1 - F)), with cumulative sums F that include p.
        sum * (1.0 + flake) - flake * (sum * sum + squared) / 2.0
    }

    fn around(&self, threshold: f64) -> Around {
        self.measured().around(threshold, |place, sum| self.value(place, sum))
    }
}
