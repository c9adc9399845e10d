//! Other tools for flaky bisection, where they are installed, on the same culprits.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use firstbad::culprit::{CulpritStrategy, Rate};
use firstbad::{CulpritSearch, Search};

use super::bench::Bench;
use super::range::Range;
use super::trial::Truth;
use firstbad_testkit::simulated::Random;

/// Suspects, rate, trials; each tool takes the rows as arguments.
const ROWS: [(usize, f64, u64); 7] = [
    (500, 0.05, 300),
    (500, 0.2, 300),
    (500, 0.4, 300),
    (1000, 0.1, 300),
    (1000, 0.3, 300),
    (1000, 0.5, 300),
    (1_000_000, 0.1, 3),
];

/// What is told of the rates: how often a healthy revision fails, and how often a broken one passes.
fn knowledge(rate: f64) -> [(&'static str, Rate, Rate); 3] {
    [
        ("both rates told", Rate::Known(rate), Rate::Known(0.0)),
        ("false passes told (never)", Rate::Estimate, Rate::Known(0.0)),
        ("both rates unknown", Rate::Estimate, Rate::Estimate),
    ]
}

/// One table: ours and theirs, one row each.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### Other tools\n\nOne culprit, always (they know no \"nobody\", ours allows for it at 0.4); a list; confidence \
         0.99. None of the others is told a rate: ours with both rates unknown is what they are to be held \
         against.\n\n| tool | suspects | rate | trials | accuracy | runs | us per \
         decision |\n|---|---|---|---|---|---|---|"
    );
    for (suspects, rate, trials) in ROWS {
        let range = Range::list(suspects)?;
        for told in knowledge(rate) {
            ours(&range, told, rate, trials)?;
        }
    }
    bench.progress("peers: ours");
    let rows: Vec<String> = ROWS.iter().map(|(n, rate, trials)| format!("{n}:{rate}:{trials}")).collect();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = bench.options.python.as_deref().unwrap_or("python3");
    let mut script = Command::new(python);
    script.arg(here.join("flaky_peers.py")).args(&rows);
    let mut rust = Command::new("cargo");
    rust.args(["run", "--quiet", "--release", "--offline", "--manifest-path"]);
    rust.arg(here.join("peers/Cargo.toml")).arg("--").args(&rows);
    for (name, mut command) in [("robust-binary-search", rust), ("git_bayesect", script)] {
        match command.output() {
            Ok(output) if output.status.success() => print!("{}", String::from_utf8_lossy(&output.stdout)),
            _ => println!("| {name} | not installed | | | | | |"),
        }
        bench.progress(format!("peers: {name}"));
    }
    Ok(())
}

fn ours(range: &Range, told: (&str, Rate, Rate), rate: f64, trials: u64) -> Result<(), String> {
    let (name, flakes, false_passes) = told;
    let words = |error: firstbad::Error| error.to_string();
    let (mut right, mut runs, mut seconds) = (0u64, 0u64, 0.0);
    for trial in 0..trials {
        // The others draw the same numbers: first the culprit, then one for each run that may flake.
        let mut random = Random::new(trial);
        let culprit = (random.fraction() * range.suspects.len() as f64) as u32 + 1;
        let broken = move |node: u32| node >= culprit;
        let truth = Truth { culprit: Some(culprit), broken: &broken, flakes: rate, false_passes: 0.0 };
        let mut config = range.unverified(flakes, CulpritStrategy::Information);
        config.false_pass_rate = false_passes;
        let mut search = CulpritSearch::new(range.graph.clone(), config).map_err(words)?;
        let start = Instant::now();
        while !search.is_done() {
            let probe = search.ask(1).map_err(words)?.pop().ok_or("asks nothing")?;
            let node = range.graph.get(probe.revision()).ok_or("asks for an unknown revision")?;
            search.tell(probe.id, truth.run(node, &mut random).into()).map_err(words)?;
        }
        seconds += start.elapsed().as_secs_f64();
        runs += search.runs();
        right += u64::from(search.report().culprit.as_deref() == Some(range.graph.id(culprit)));
    }
    println!(
        "| firstbad, {name} | {} | {rate} | {trials} | {:.1}% | {:.1} | {:.1} |",
        range.suspects.len(),
        100.0 * right as f64 / trials as f64,
        runs as f64 / trials as f64,
        1e6 * seconds / runs as f64
    );
    Ok(())
}
