//! What a decision costs through Python beside the same one in Rust: one `ask(1)` plus one `tell`, on graphs of a
//! thousand to a million revisions, case by case in one run (`decisions.py`).

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use firstbad::culprit::Rate;
use firstbad::regression::{RegressionConfig, SearchKind};
use firstbad::search::Search;
use firstbad::{
    CommitGraph, CulpritConfig, CulpritSearch, Error, GraphBuilder, Observation, Outcome, RegressionSearch,
};

use crate::Options;

const SIZES: [usize; 4] = [1_000, 4_096, 100_000, 1_000_000];
/// `linear`: each revision after the one before it. `merges`: pairs of branches of three commits and four, merged.
const SHAPES: [&str; 2] = ["linear", "merges"];
const SEARCHES: [&str; 3] = ["one by one", "regression", "culprit"];
/// A search is left after so many decisions.
const MOST: usize = 1_000;
const AIM_MICROSECONDS: f64 = 5.0;

fn name(number: usize) -> String {
    format!("{number:07}")
}

fn graph(shape: &str, size: usize) -> Result<Arc<CommitGraph>, Error> {
    let mut builder = GraphBuilder::new();
    for number in 0..size {
        let parents: Vec<usize> = match (number, number % 8) {
            (0, _) => Vec::new(),
            _ if shape == "linear" => vec![number - 1],
            (_, 0) => vec![number - 5, number - 1],
            (_, 4) => vec![number - 4],
            _ => vec![number - 1],
        };
        builder.revision(&name(number), parents.into_iter().map(name));
    }
    builder.build().map(Arc::new)
}

/// The search, and the first number that fails: everything after it does too.
fn search(kind: &str, graph: &Arc<CommitGraph>) -> Result<(Box<dyn Search>, usize), Error> {
    let (first, last) = (name(0), name(graph.len() - 1));
    // A merge, before which everything passes; one by one, all have to be asked.
    let fails_from = if kind == "one by one" { 1 } else { graph.len() / 12 * 8 };
    let search: Box<dyn Search> = match kind {
        "culprit" => {
            let config = CulpritConfig::new(last, Rate::Known(0.1)).good([first]);
            Box::new(CulpritSearch::new(Arc::clone(graph), config)?)
        }
        _ => {
            let kind = if kind == "regression" { SearchKind::Auto } else { SearchKind::Linear };
            let config = RegressionConfig::new([last]).good([first]).search(kind);
            Box::new(RegressionSearch::new(Arc::clone(graph), config)?)
        }
    };
    Ok((search, fails_from))
}

/// Seconds of all decisions of a search, the longest ask or tell, and how many decisions there were.
fn play(search: &mut dyn Search, fails_from: usize) -> Result<(f64, f64, usize), Error> {
    let (mut spent, mut longest, mut decisions) = (0.0, 0.0_f64, 0);
    while decisions < MOST {
        let start = Instant::now();
        let probes = search.ask(1)?;
        let asked = start.elapsed().as_secs_f64();
        let Some(probe) = probes.first() else { break };
        let fails = probe.revision().parse::<usize>().is_ok_and(|number| number >= fails_from);
        let outcome = if fails { Outcome::Fail } else { Outcome::Pass };
        let start = Instant::now();
        search.tell(probe.id, Observation::from(outcome))?;
        let told = start.elapsed().as_secs_f64();
        spent += asked + told;
        longest = longest.max(asked).max(told);
        decisions += 1;
    }
    Ok((spent, longest, decisions))
}

/// Microseconds of a decision in the quietest round, and of the longest ask or tell of any.
fn in_rust(graph: &Arc<CommitGraph>, kind: &str, rounds: usize) -> Result<(f64, f64), Error> {
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for _ in 0..rounds {
        let (mut search, fails_from) = search(kind, graph)?;
        let (spent, longest, decisions) = play(search.as_mut(), fails_from)?;
        least = least.min(1e6 * spent / decisions as f64);
        most = most.max(1e6 * longest);
    }
    Ok((least, most))
}

/// The same through Python; `None` if the package is not installed there.
fn in_python(python: &str, shape: &str, size: usize, kind: &str, rounds: usize) -> Result<Option<f64>, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("decisions.py");
    let output = Command::new(python)
        .arg(script)
        .args([shape, &size.to_string(), kind, &rounds.to_string(), &MOST.to_string()])
        .output()
        .map_err(|error| format!("{python}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().parse().ok())
}

/// Measures every case and prints it.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let python = options.python.as_deref().unwrap_or("python3");
    println!("## One decision: an `ask(1)` plus a `tell`\n");
    println!("| graph | revisions | search | in Rust, us | longest call, us | through Python, us | more, us | |");
    println!("|---|---|---|---|---|---|---|---|");
    for shape in SHAPES {
        for size in SIZES {
            let graph = graph(shape, size).map_err(|error| error.to_string())?;
            for kind in SEARCHES {
                let rounds = options.trials.map_or((200_000 / size).clamp(3, 50), |trials| trials as usize);
                let (rust, longest) = in_rust(&graph, kind, rounds).map_err(|error| error.to_string())?;
                let Some(python) = in_python(python, shape, size, kind, rounds)? else {
                    println!("| {shape} | {size} | {kind} | {rust:.2} | {longest:.1} | not installed | | |");
                    continue;
                };
                let more = python - rust;
                let verdict = if more <= AIM_MICROSECONDS { "met" } else { "missed" };
                println!(
                    "| {shape} | {size} | {kind} | {rust:.2} | {longest:.1} | {python:.2} | {more:.2} | {verdict} |"
                );
            }
        }
    }
    Ok(true)
}
