//! An oracle that now and then says "holds" of a set that does not.

use firstbad::culprit::Rate;
use firstbad::reduction::Method;
use firstbad::{ChangeSet, Outcome, ReductionConfig};
use firstbad_testkit::simulated::Random;

use super::bench::Bench;
use super::play::{AUTO, Reducer, play};
use super::problem::Problem;
use crate::figure::{Aim, Figure};
use crate::statistics::mean;

const TRIALS: u64 = 40;
const COUNT: usize = 512;
const NEEDED: usize = 10;

/// Spurious passes in 1,000 runs of a set that does not hold.
const SPURIOUS: u64 = 5;

/// One table; a result is valid if it holds.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### Spurious passes\n\n{COUNT} items, {NEEDED} needed; {SPURIOUS} of 1,000 runs of a set that does not hold \
         say that it does.\n\n| reducer | settings | trials | valid | exact | runs |\n|---|---|---|---|---|---|"
    );
    let sure = ReductionConfig::default().confidence(0.99);
    let mut told = sure.clone();
    (told.flake_rate, told.false_pass_rate) = (Rate::Known(0.0), Rate::Known(SPURIOUS as f64 / 1000.0));
    for reducer in [Reducer::Ddmin, Reducer::Recursion, Reducer::Fixpoint, AUTO] {
        row(bench, reducer, "every answer is trusted", &ReductionConfig::default())?;
    }
    for algorithm in [Method::Recursive, Method::Auto] {
        row(bench, Reducer::Ours(algorithm), "confidence 0.99, rates known", &told)?;
        row(bench, Reducer::Ours(algorithm), "confidence 0.99, rates unknown", &sure)?;
    }
    bench.progress("spurious passes");
    Ok(())
}

fn row(bench: &mut Bench, reducer: Reducer, name: &str, config: &ReductionConfig) -> Result<(), String> {
    let trials = bench.trials.unwrap_or(TRIALS);
    let (mut valid, mut exact, mut runs) = (0, 0, Vec::new());
    for seed in 0..trials {
        let problem = Problem::scattered(COUNT, NEEDED, seed);
        let mut random = Random::new(seed + 1_000_000);
        let mut oracle = |set: &ChangeSet| {
            let spurious = random.chance(SPURIOUS);
            if spurious { Outcome::Pass } else { problem.outcome(set) }
        };
        let played = play(reducer, COUNT, config, &mut oracle)?;
        valid += u64::from(problem.holds(&played.kept));
        exact += u64::from(played.kept == problem.answer);
        runs.push(played.runs as f64);
    }
    println!("| {} | {name} | {trials} | {valid} | {exact} | {:.1} |", reducer.name(), mean(&runs));
    if config.confidence.is_some() {
        let what = format!("spurious passes, {}, {name}: share of valid results", reducer.name());
        bench.target(Figure::aimed(what, valid as f64 / trials as f64, "", Aim::AtLeast(1.0)));
    }
    Ok(())
}
