//! Lists of 100 to 10,000 suspects, with the rate known and without: accuracy and executions.

use firstbad::culprit::{CulpritStrategy, Rate};

use super::bench::{Bench, RATES, SIZES};
use super::bound::bound;
use super::range::Range;
use super::rates::{self, Cell};
use super::trial::{Score, score};
use crate::figure::{Aim, Figure};

/// Executions measured before, for reference: suspects, rate, FACF, greedy information gain.
const REFERENCE: [(usize, f64, f64, f64); 6] = [
    (100, 0.1, 7.54, 7.46),
    (1000, 0.0, 7.21, 7.11),
    (1000, 0.1, 10.12, 10.15),
    (1000, 0.3, 15.54, 15.35),
    (1000, 0.5, 24.83, 23.47),
    (10_000, 0.1, 12.87, 12.77),
];

/// Known rates, then unknown ones on the same trials.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### Known rate, confidence 0.99\n\nRatios to the entropy bound, and to the FACF (for `cdf`) or greedy (for \
         `information`) measured before with other code.\n\n| suspects | rate | choice | accuracy | runs | ratio to bound | ratio to \
         reference |\n|---|---|---|---|---|---|---|"
    );
    let mut cells = Vec::new();
    let mut tally = RunCounts { least: [1.0; 3], most: [0.0; 2] };
    for suspects in SIZES {
        for rate in RATES {
            cells.push(cell(bench, &mut tally, suspects, rate)?);
        }
    }
    for (name, least) in ["cdf", "expected-gain", "information"].into_iter().zip(tally.least) {
        let what = format!("known rate, {name}: least accuracy of all cells");
        bench.target(Figure::aimed(what, least, "", Aim::AtLeast(0.99)));
    }
    for (name, most) in
        ["cdf: runs over the reference FACF", "information: runs over the reference greedy"].into_iter().zip(tally.most)
    {
        bench.target(Figure::aimed(format!("known rate, {name}, worst cell"), most, "times", Aim::AtMost(1.02)));
    }
    rates::unknown(bench, &cells)
}

/// The worst of all cells: accuracy by choice, ratio to the reference by column.
struct RunCounts {
    least: [f64; 3],
    most: [f64; 2],
}

fn cell(bench: &Bench, tally: &mut RunCounts, suspects: usize, rate: f64) -> Result<Cell, String> {
    let range = Range::list(suspects)?;
    let reference = REFERENCE.iter().find(|row| (row.0, row.1) == (suspects, rate));
    let row = |name: &str, score: &Score, reference: Option<f64>| {
        let runs = score.mean_runs();
        println!(
            "| {suspects} | {rate} | {name} | {:.2}% | {runs:.2} ± {:.2} | {:.3} | {} |",
            100.0 * score.accuracy(),
            score.error(),
            runs / bound(suspects, rate),
            reference.map_or("-".into(), |reference| format!("{:.3}", runs / reference)),
        );
    };
    let tried = |choose| score(&range, &range.unverified(Rate::Known(rate), choose), 1, rate, bench.trials);
    let cdf = tried(CulpritStrategy::Cdf)?;
    let gain = tried(CulpritStrategy::ExpectedGain)?;
    let information = tried(CulpritStrategy::Information)?;
    row("cdf", &cdf, reference.map(|row| row.2));
    row("expected-gain", &gain, None);
    row("information", &information, reference.map(|row| row.3));
    for (least, score) in tally.least.iter_mut().zip([&cdf, &gain, &information]) {
        *least = least.min(score.accuracy());
    }
    if let Some(reference) = reference {
        tally.most[0] = tally.most[0].max(cdf.mean_runs() / reference.2);
        tally.most[1] = tally.most[1].max(information.mean_runs() / reference.3);
    }
    row("bisect", &deflaked(bench, &range, rate, 1)?, None);
    match cheapest(bench, &range, rate)? {
        Some((reruns, score)) => row(&format!("bisect, cheapest: {reruns} reruns"), &score, None),
        None => println!("| {suspects} | {rate} | bisect, up to {MOST_RERUNS} reruns | below 99% | - | - | - |"),
    }
    bench.progress(format!("known rate: {suspects} suspects, rate {rate}"));
    Ok(Cell { range, rate, information })
}

fn deflaked(bench: &Bench, range: &Range, rate: f64, reruns: u32) -> Result<Score, String> {
    let mut config = range.unverified(Rate::Known(rate), CulpritStrategy::Bisect);
    config.reruns = Some(reruns);
    score(range, &config, 1, rate, bench.trials)
}

/// How often deflaked bisection is let rerun.
const MOST_RERUNS: u32 = 8;

/// The deflaked bisection with the fewest reruns that is right in 99% of all trials. That it is hopeless shows in a
/// tenth of them.
fn cheapest(bench: &Bench, range: &Range, rate: f64) -> Result<Option<(u32, Score)>, String> {
    for reruns in 2..=MOST_RERUNS {
        let mut config = range.unverified(Rate::Known(rate), CulpritStrategy::Bisect);
        config.reruns = Some(reruns);
        if score(range, &config, 1, rate, (bench.trials / 10).max(100))?.accuracy() >= 0.97 {
            let full = deflaked(bench, range, rate, reruns)?;
            if full.accuracy() >= 0.99 {
                return Ok(Some((reruns, full)));
            }
        }
    }
    Ok(None)
}
