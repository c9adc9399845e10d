//! Several runs at a time: rounds against runs.

use firstbad::culprit::{CulpritStrategy, Rate};

use super::bench::{Bench, SIZES};
use super::range::Range;
use super::trial::score;
use crate::figure::{Aim, Figure};

const BATCHES: [usize; 4] = [2, 4, 8, 16];
const RATES: [f64; 3] = [0.0, 0.1, 0.3];

/// The cell with a target; it has all trials, the others a fifth.
const AIMED: (usize, f64, usize) = (1000, 0.1, 8);

/// The paper's NextRuns beside the joint choice.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### Several runs at a time\n\nKnown rate, confidence 0.99; a fifth of the trials, but where the target is. `cdf` is the \
         paper's NextRuns.\n\n| suspects | rate | \
         at a time | cdf: rounds | runs | accuracy | information: rounds | runs | accuracy |\n|---|---|---|---|---|---|---|---|---|"
    );
    for suspects in SIZES {
        let range = Range::list(suspects)?;
        for rate in RATES {
            for batch in BATCHES {
                let is_aimed = (suspects, rate, batch) == AIMED;
                let trials = if is_aimed { bench.trials } else { bench.trials.div_ceil(5) };
                let tried = |choose| score(&range, &range.unverified(Rate::Known(rate), choose), batch, rate, trials);
                let (cdf, information) = (tried(CulpritStrategy::Cdf)?, tried(CulpritStrategy::Information)?);
                println!(
                    "| {suspects} | {rate} | {batch} | {:.2} | {:.2} | {:.2}% | {:.2} | {:.2} | {:.2}% |",
                    cdf.mean_rounds(),
                    cdf.mean_runs(),
                    100.0 * cdf.accuracy(),
                    information.mean_rounds(),
                    information.mean_runs(),
                    100.0 * information.accuracy(),
                );
                if is_aimed {
                    let what = "8 at a time, 1,000 suspects, rate 0.1, information";
                    let rounds = information.mean_rounds();
                    bench.target(Figure::aimed(format!("{what}: rounds"), rounds, "", Aim::AtMost(3.0)));
                    let over = information.mean_runs() / cdf.mean_runs();
                    bench.target(Figure::aimed(format!("{what}: runs over cdf's"), over, "times", Aim::AtMost(1.0)));
                }
            }
            bench.progress(format!("several at a time: {suspects} suspects, rate {rate}"));
        }
    }
    Ok(())
}
