//! Reductions: how often each algorithm asks, whether the result is exact, and what it costs, beside others.

mod bench;
mod dependencies;
mod files;
mod flaky;
mod folder;
mod overhead;
mod parallel;
mod patches;
mod play;
mod problem;
mod reference;
mod synthetic;

use std::time::Instant;

use serde_json::{Value, json};

use crate::figure::Figure;
use crate::options::Options;
use bench::Bench;

type Part = fn(&mut Bench) -> Result<(), String>;

const PARTS: [(&str, Part); 7] = [
    ("sets", synthetic::run),
    ("dependencies", dependencies::run),
    ("flaky", flaky::run),
    ("workers", parallel::run),
    ("overhead", overhead::run),
    ("files", files::run),
    ("patches", patches::run),
];

/// Runs all parts, or the one of `--only`, and prints tables and targets; false where a result was wrong.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let mut bench =
        Bench { options, trials: options.trials, started: Instant::now(), targets: Vec::new(), wrong: Vec::new() };
    let chosen = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    if !PARTS.iter().any(|(name, _)| chosen(name)) {
        let names: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
        return Err(format!("--only: no such part; there are {}", names.join(", ")));
    }
    println!("## Reductions");
    for (name, part) in PARTS.iter().filter(|(name, _)| chosen(name)) {
        bench.progress(format!("part {name}"));
        part(&mut bench)?;
    }
    bench.progress("done");
    if !bench.targets.is_empty() {
        println!("\n### Targets for reductions\n\n| what | measured | aim | |\n|---|---|---|---|");
        bench.targets.iter().for_each(Figure::print);
    }
    if !bench.wrong.is_empty() {
        println!("\nWrong:\n");
        bench.wrong.iter().for_each(|wrong| println!("- {wrong}"));
    }
    if let Some(path) = &options.json {
        let all: Vec<Value> = bench.targets.iter().map(Figure::json).collect();
        std::fs::write(path, format!("{:#}\n", json!(all)))
            .map_err(|error| format!("writing {}: {error}", path.display()))?;
    }
    Ok(bench.wrong.is_empty())
}
