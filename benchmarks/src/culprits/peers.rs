//! Other tools for flaky tests on the same lists, with the same culprits and flakes.

use std::path::Path;
use std::process::Command;

use firstbad::culprit::{CulpritStrategy, Rate};

use super::range::Range;
use super::trial::{Truth, play};
use crate::csv::{Csv, cells, rounded};
use crate::memory::{forget_peak, status_mib};
use crate::options::Options;
use crate::time::processor_seconds;
use firstbad_testkit::simulated::Random;

/// Suspects, rate, and trials.
const ROWS: [(usize, f64, u64); 5] =
    [(1000, 0.0, 200), (1000, 0.1, 200), (1000, 0.3, 200), (1000, 0.5, 200), (1_000_000, 0.1, 3)];

/// Writes `flaky_peers.csv`. A peer that is not installed has empty cells.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let mut table =
        Csv::new(&["tool", "version", "suspects", "rate", "trials", "right", "runs", "us_per_decision", "peak_mib"]);
    for (suspects, rate, trials) in ROWS {
        table.row(ours(suspects, rate, trials)?);
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut python = Command::new(options.python.as_deref().unwrap_or("python3"));
    python.arg(here.join("flaky_peers.py"));
    let mut rust = Command::new("cargo");
    rust.args(["run", "--quiet", "--release", "--manifest-path"]).arg(here.join("peers/Cargo.toml")).arg("--");
    for (name, mut command) in [("robust-binary-search", rust), ("git_bayesect", python)] {
        command.args(ROWS.map(|(suspects, rate, trials)| format!("{suspects}:{rate}:{trials}")));
        let output = command.output().map_err(|error| format!("{name}: {error}"))?;
        let printed = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            eprintln!("{name} was not measured: {}", String::from_utf8_lossy(&output.stderr));
            table.row([vec![name.to_owned()], vec![String::new(); 8]].concat());
            continue;
        }
        printed.lines().for_each(|line| table.row(line.split(',').map(str::to_owned).collect::<Vec<_>>()));
    }
    table.write(options, "flaky_peers")
}

/// Searches as the peers do: without a rate, and with a culprit in every trial.
fn ours(suspects: usize, rate: f64, trials: u64) -> Result<Vec<String>, String> {
    forget_peak();
    let range = Range::list(suspects)?;
    let (mut right, mut runs, mut seconds) = (0, 0, 0.0);
    for trial in 0..trials {
        // The peers draw the same numbers: first the culprit, then one for each run that may flake.
        let mut random = Random::new(trial);
        let culprit = (random.fraction() * suspects as f64) as u32 + 1;
        let broken = move |node: u32| node >= culprit;
        let truth = Truth { culprit: Some(culprit), broken: &broken, flakes: rate };
        let mut config = range.config(Rate::Estimate).strategy(CulpritStrategy::Information);
        config.false_pass_rate = Rate::Estimate;
        let (time, played) = processor_seconds(|| play(&range, config, &truth, &mut random));
        let (is_right, asked) = played?;
        seconds += time;
        right += u64::from(is_right);
        runs += asked;
    }
    let mean = rounded(runs as f64 / trials as f64, 2);
    let decision = rounded(1e6 * seconds / runs as f64, 2);
    let version = env!("CARGO_PKG_VERSION");
    let peak = rounded(status_mib("VmHWM"), 0);
    Ok(cells!["firstbad", version, suspects, rate, trials, right, mean, decision, peak])
}
