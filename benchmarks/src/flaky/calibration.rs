//! Whether answers given at a confidence are right that often.

use firstbad::culprit::{CulpritStrategy, Rate};

use super::bench::{Bench, RATES};
use super::range::{Range, pieces};
use super::trial::{Score, Share, Truth, draw_culprit, play, seeded};
use crate::figure::{Aim, Figure};

const CONFIDENCES: [f64; 4] = [0.9, 0.95, 0.99, 0.999];

/// Pieces of each recorded graph.
const PIECES: usize = 20;

/// All confidences, with rates drawn anew for each trial, on lists and with merges.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### Calibration\n\nThe true rate is drawn from {RATES:?} for each trial. The share that is right among \
         answers given, of either kind; in brackets two standard errors.\n\n| suspects | rate | choice | confidence | right \
         among answers | culprits named | flakes | without an answer | runs |\n|---|---|---|---|---|---|---|---|---|"
    );
    let places: [(&str, Vec<Range>); 3] = [
        ("100", vec![Range::list(100)?]),
        ("1000", vec![Range::list(1000)?]),
        ("with merges", pieces(&bench.options.data, PIECES)?),
    ];
    let ways = [
        ("known", CulpritStrategy::Information, "information"),
        ("known", CulpritStrategy::Cdf, "cdf"),
        ("estimated", CulpritStrategy::Information, "information"),
        ("estimated", CulpritStrategy::Cdf, "cdf"),
    ];
    for (knowledge, choose, name) in ways {
        for confidence in CONFIDENCES {
            let mut sum = Share::default();
            for (place, ranges) in &places {
                let score = scored(bench, ranges, choose, confidence, knowledge == "known")?;
                let answered = score.answered();
                let enough = answered.value() >= confidence;
                println!(
                    "| {place} | {knowledge} | {name} | {confidence} | {}{} [{:.2}] | {} | {} | {} | {:.2} |",
                    answered.percent(),
                    if enough { "" } else { " (less)" },
                    100.0 * answered.margin(confidence),
                    score.culprits.percent(),
                    score.flakes.percent(),
                    score.reasons(),
                    score.mean_runs(),
                );
                sum.right += answered.right;
                sum.given += answered.given;
            }
            bench.target(Figure::aimed(
                format!(
                    "calibration, {knowledge} rate, {name}, confidence {confidence}: right among answers (± {:.4})",
                    sum.margin(confidence)
                ),
                sum.value(),
                "",
                Aim::AtLeast(confidence),
            ));
            bench.progress(format!("{knowledge} rate, {name}, confidence {confidence}"));
        }
    }
    Ok(())
}

fn scored(
    bench: &Bench,
    ranges: &[Range],
    choose: CulpritStrategy,
    confidence: f64,
    known: bool,
) -> Result<Score, String> {
    let mut score = Score::default();
    for trial in 0..bench.trials {
        let range = &ranges[trial as usize % ranges.len()];
        let mut random = seeded(trial, 5);
        let flakes = RATES[random.below(RATES.len() as u64) as usize];
        let culprit = draw_culprit(range, trial, bench.trials, &mut random);
        let broken = range.broken_by(culprit);
        let mut config = range.verified(if known { Rate::Known(flakes) } else { Rate::Estimate }, choose);
        config.confidence = confidence;
        score.add(&play(
            range,
            config,
            1,
            &Truth { culprit, broken: &broken, flakes, false_passes: 0.0 },
            &mut random,
        )?);
    }
    Ok(score)
}
