//! Flaky tests: the algorithms of FACF (Section 5) in pieces of recorded histories, and other tools in lists.

mod peers;
mod range;
mod trial;

pub(crate) use peers::run as run_peers;
pub(crate) use range::Range;

use firstbad::CulpritConfig;
use firstbad::culprit::{CulpritStrategy, NoCulprit, Rate, Uniform};
use firstbad_testkit::simulated::Random;

use crate::csv::{Csv, cells};
use crate::options::Options;
use crate::parallel::in_parallel;
use range::pieces;
use trial::{Truth, draw_culprit, seeded};

/// The rates at which healthy revisions fail.
const RATES: [f64; 5] = [0.0, 0.01, 0.1, 0.3, 0.5];

/// The pieces of each recorded graph.
const PIECES: usize = 40;

/// The number of earlier runs from which the rate of a test is estimated.
const EARLIER: u64 = 100;

/// The share of searches without a culprit that the paper measured, as a prior.
const KNOWN_SHARE: f64 = 0.4;

/// The algorithms of the paper, and the default of firstbad without a rate. With a rate, it is FACF(priors). The priors of the
/// paper also have distances in the build graph, which these histories do not have.
const ALGORITHMS: [&str; 10] = [
    "Bisect(1)",
    "Bisect(2)",
    "Bisect(4)",
    "Bisect(8)",
    "FACF",
    "FACF(fr=.1)",
    "FACF(priors)",
    "FACF(heur-thresholds)",
    "FACF(all)",
    "firstbad rates unknown",
];

fn config(range: &Range, algorithm: usize, estimate: f64) -> CulpritConfig {
    let config = |rate: f64, strategy, share| CulpritConfig {
        prior_no_culprit: Some(share),
        ..range.config(Rate::Known(rate)).strategy(strategy)
    };
    let (uniform, known) = (NoCulprit::Uniform(Uniform::Uniform), NoCulprit::Probability(KNOWN_SHARE));
    let cdf = CulpritStrategy::Cdf;
    let floor = estimate.max(0.1);
    match algorithm {
        0..=3 => {
            let reruns = Some(1 << algorithm);
            CulpritConfig { reruns, ..config(estimate, CulpritStrategy::Bisect, uniform) }
        }
        4 => config(estimate, cdf, uniform),
        5 => config(floor, cdf, uniform),
        6 => config(estimate, cdf, known),
        7 => config(estimate, CulpritStrategy::ExpectedGain, uniform),
        8 => config(floor, CulpritStrategy::ExpectedGain, known),
        _ => CulpritConfig { false_pass_rate: Rate::Estimate, ..range.config(Rate::Estimate) },
    }
}

/// Writes `culprits.csv`.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let pieces = pieces(&options.data, PIECES)?;
    let mut columns = cells!["project", "suspects", "rate", "culprit"];
    columns.extend(ALGORITHMS.iter().flat_map(|name| ["right", "runs"].map(|what| format!("{name} {what}"))));
    let mut table = Csv::new(&columns);
    let trials: Vec<(u64, &Range, f64)> =
        (0..).zip(&pieces).flat_map(|(number, piece)| RATES.map(|rate| (number, piece, rate))).collect();
    let rows = in_parallel(&trials, |&(number, piece, rate)| row(piece, rate, number));
    for row in rows {
        table.row(row?);
    }
    table.write(options, "culprits")
}

fn row(piece: &Range, rate: f64, trial: u64) -> Result<Vec<String>, String> {
    let mut random = seeded(trial, (rate * 1e6) as u64);
    let of_each = PIECES as u64;
    let culprit = draw_culprit(piece, trial % of_each, of_each, &mut random);
    let broken = piece.broken_by(culprit);
    let estimate = estimated(rate, &mut random);
    let truth = Truth { culprit, broken: &broken, flakes: rate };
    let mut cells = cells![piece.source, piece.suspects.len(), rate, u8::from(culprit.is_some())];
    for algorithm in 0..ALGORITHMS.len() {
        let (right, runs) = trial::play(piece, config(piece, algorithm, estimate), &truth, &mut random.clone())?;
        cells.extend(cells![u8::from(right), runs]);
    }
    Ok(cells)
}

/// Returns the rate of a test as its earlier runs show it.
fn estimated(rate: f64, random: &mut Random) -> f64 {
    let failed = (0..EARLIER).filter(|_| random.fraction() < rate).count() as f64;
    (failed + 0.5) / (EARLIER + 1) as f64
}

/// Searches a trial with a told rate, or with both rates unknown.
pub(crate) fn trial(range: &Range, told: Option<f64>, rate: f64, trial: u64) -> Result<(bool, u64), String> {
    let mut random = seeded(trial, range.suspects.len() as u64);
    let culprit = draw_culprit(range, trial % 100, 100, &mut random);
    let broken = range.broken_by(culprit);
    let config = match told {
        Some(rate) => range.config(Rate::Known(rate)),
        None => CulpritConfig { false_pass_rate: Rate::Estimate, ..range.config(Rate::Estimate) },
    };
    trial::play(range, config, &Truth { culprit, broken: &broken, flakes: rate }, &mut random)
}
