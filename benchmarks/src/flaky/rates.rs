//! What it costs not to know the rate.

use firstbad::culprit::{CulpritStrategy, Rate};

use super::bench::Bench;
use super::range::Range;
use super::trial::{Score, score};
use crate::figure::{Aim, Figure};

/// A list and a rate, with what the search by information did there.
pub(super) struct Cell {
    pub(super) range: Range,
    pub(super) rate: f64,
    pub(super) information: Score,
}

/// The rate is integrated over: on the trials of the known rates.
pub(super) fn unknown(bench: &mut Bench, cells: &[Cell]) -> Result<(), String> {
    println!(
        "\n### Unknown rate, confidence 0.99\n\nRuns over those of `information` with the rate known.\n\n| suspects | \
         rate | choice | accuracy | without an answer | runs | over known |\n|---|---|---|---|---|---|---|"
    );
    for (choose, name) in [(CulpritStrategy::Information, "information"), (CulpritStrategy::Cdf, "cdf")] {
        let (mut least, mut most, mut sum) = (1.0f64, 0.0f64, 0.0);
        for cell in cells {
            let config = cell.range.unverified(Rate::Estimate, choose);
            let score = score(&cell.range, &config, 1, cell.rate, bench.trials)?;
            let over = score.mean_runs() / cell.information.mean_runs();
            (least, most, sum) = (least.min(score.accuracy()), most.max(over), sum + over);
            println!(
                "| {} | {} | {name} | {:.2}% | {} | {:.2} ± {:.2} | {over:.3} |",
                cell.range.suspects.len(),
                cell.rate,
                100.0 * score.accuracy(),
                score.reasons(),
                score.mean_runs(),
                score.error(),
            );
            bench.progress(format!("unknown rate, {name}: {} suspects, rate {}", cell.range.suspects.len(), cell.rate));
        }
        let mean = sum / cells.len() as f64;
        bench.target(Figure::aimed(
            format!("unknown rate, {name}: least accuracy of all cells"),
            least,
            "",
            Aim::AtLeast(0.985),
        ));
        let what = format!("unknown rate, {name}: runs over the known rate's information");
        bench.target(Figure::aimed(format!("{what}, mean of the cells"), mean, "times", Aim::AtMost(1.4)));
        bench.target(Figure::aimed(format!("{what}, worst cell"), most, "times", Aim::AtMost(1.7)));
    }
    Ok(())
}
