//! Items of which a few are needed: how often each reducer asks.

use firstbad::ReductionConfig;

use super::bench::Bench;
use super::play::{AUTO, OURS, Reducer, play};
use super::problem::Problem;
use crate::figure::{Aim, Figure};
use crate::statistics::mean;

/// Items, needed ones, neighbours or not, trials, and what `auto` should need at most.
const SETS: [(usize, usize, bool, u64, f64); 5] = [
    (64, 10, false, 400, 46.0),
    (512, 10, false, 400, 80.0),
    (512, 10, true, 400, 33.0),
    (4096, 1, false, 400, 18.0),
    (4096, 30, false, 60, 275.0),
];

/// One table; every result has to be exact.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    let reducers: Vec<Reducer> = [Reducer::Ddmin, Reducer::Recursion].into_iter().chain(OURS).collect();
    let names: Vec<String> = reducers.iter().map(|reducer| reducer.name()).collect();
    println!(
        "\n### Sets\n\nDifferent sets asked, the full one not counted. Needed ones scattered (s) or one cluster (c) of \
         so many items.\n\n| items / needed | trials | {} | bound |\n|---|---|{}---|",
        names.join(" | "),
        "---|".repeat(names.len())
    );
    for (count, needed, cluster, trials, aim) in SETS {
        let trials = bench.trials.unwrap_or(trials);
        let name = format!("{count} / {needed}{}", if cluster { "c" } else { "s" });
        let mut cells = Vec::new();
        for &reducer in &reducers {
            let mut asked = Vec::new();
            let mut exact = 0;
            for seed in 0..trials {
                let problem = if cluster {
                    Problem::clustered(count, needed, seed)
                } else {
                    Problem::scattered(count, needed, seed)
                };
                let played = play(reducer, count, &ReductionConfig::default(), &mut |set| problem.outcome(set))?;
                asked.push(played.asked as f64);
                exact += u64::from(played.kept == problem.answer);
            }
            let mean = mean(&asked);
            bench.hold(exact == trials, || format!("{name}, {}: exact in {exact} of {trials}", reducer.name()));
            cells.push(format!("{mean:.1}"));
            if reducer == AUTO {
                bench.target(Figure::aimed(format!("{name}, auto: sets asked"), mean, "", Aim::AtMost(aim)));
            }
        }
        let bound = if cluster { f64::log2((count - needed + 1) as f64) } else { log2_subsets(count, needed) };
        println!("| {name} | {trials} | {} | {bound:.1} |", cells.join(" | "));
        bench.progress(name);
    }
    Ok(())
}

/// The logarithm of the number of subsets of that size.
fn log2_subsets(count: usize, needed: usize) -> f64 {
    (0..needed).map(|place| f64::log2((count - place) as f64 / (place + 1) as f64)).sum()
}
