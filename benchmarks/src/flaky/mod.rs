//! Culprits of flaky tests: accuracy, executions, calibration and speed against answers made from seeds.

mod batches;
mod bench;
mod bound;
mod calibration;
mod cells;
mod dags;
mod leaves;
mod models;
mod optimum;
mod peers;
mod range;
mod rates;
mod speed;
mod trial;

pub(crate) use range::induced;

use std::time::Instant;

use serde_json::{Value, json};

use crate::figure::Figure;
use crate::options::Options;
use bench::Bench;

/// Trials per cell where the command line does not say.
const TRIALS: u64 = 5000;

type Part = fn(&mut Bench) -> Result<(), String>;

const PARTS: [(&str, Part); 9] = [
    ("cells", cells::run),
    ("wrong", models::run),
    ("dags", dags::run),
    ("calibration", calibration::run),
    ("batches", batches::run),
    ("speed", speed::run),
    ("optimum", optimum::run),
    ("leaves", leaves::run),
    ("peers", peers::run),
];

/// Runs all parts, or the one of `--only`, and prints tables and targets.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let trials = options.trials.unwrap_or(TRIALS);
    let mut bench = Bench { options, trials, started: Instant::now(), targets: Vec::new() };
    let chosen = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    if !PARTS.iter().any(|(name, _)| chosen(name)) {
        let names: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
        return Err(format!("--only: no such part; there are {}", names.join(", ")));
    }
    println!(
        "## Flaky tests\n\n{trials} trials in each cell; in 40% of them nobody is to blame. What is held against bounds and other \
         tools is the search alone, without the verification at its end (`verify = false`); what was told and how it is, \
         calibration, decisions and several leaves are as users get them."
    );
    for (name, part) in PARTS.iter().filter(|(name, _)| chosen(name)) {
        bench.progress(format!("part {name}"));
        part(&mut bench)?;
    }
    bench.progress("done");
    if !bench.targets.is_empty() {
        println!("\n### Targets for flaky tests\n\n| what | measured | aim | |\n|---|---|---|---|");
        bench.targets.iter().for_each(Figure::print);
    }
    if let Some(path) = &options.json {
        let all: Vec<Value> = bench.targets.iter().map(|target| target.json()).collect();
        std::fs::write(path, format!("{:#}\n", json!(all)))
            .map_err(|error| format!("writing {}: {error}", path.display()))?;
    }
    Ok(true)
}
