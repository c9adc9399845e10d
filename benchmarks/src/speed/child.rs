//! Measurements of memory: each in a process of its own.

use std::path::Path;
use std::process::Command;

use firstbad::graph::Node;
use firstbad::regression::{Prefer, RegressionConfig, SearchKind};
use firstbad::{CommitGraph, Outcome};
use firstbad_testkit::replay::Case;
use firstbad_testkit::simulated::{Shape, alternating, history, monotonic};
use serde_json::{Value, json};

use crate::figure::{Aim, Figure};
use crate::graphs::bare_graph;
use crate::memory::{forget_peak, status_mib};
use crate::time::processor_seconds;

/// How many bad revisions.
const BAD: usize = 1000;

const SEARCHES: [&str; 5] = [
    "auto fewest, propagated",
    "auto latest, not propagated",
    "the paper's binary, propagated",
    "the paper's binary, not propagated",
    "the paper's multiplying, not propagated",
];
const ORACLES: [&str; 2] = ["one culprit", "outcomes that come and go"];

/// Runs one measurement in this process and prints it as JSON.
pub(crate) fn run(what: &str, data: &Path) -> Result<bool, String> {
    let figures = match what.split_once(':') {
        Some(("rpa", setting)) => rpa(data, setting)?,
        Some(("build", shape)) => build(shape)?,
        _ => return Err(format!("unknown measurement {what}")),
    };
    println!("{figures}");
    Ok(true)
}

/// Starts this program for one measurement, and returns the JSON that it prints.
pub(crate) fn ask(what: &str, data: &Path) -> Result<Value, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program).arg("child").arg(data).arg("--only").arg(what).output();
    let output = output.map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("{what} failed: {}", String::from_utf8_lossy(&output.stderr)))
}

fn number(value: &Value, field: &str) -> f64 {
    value[field].as_f64().unwrap_or(f64::NAN)
}

fn rpa(data: &Path, setting: &str) -> Result<Value, String> {
    let (search, oracle) = setting.split_once(':').ok_or("a search and an oracle are needed")?;
    let bare = bare_graph(data, "rails+rails")?;
    let graph = &bare.graph;
    let above: Vec<Node> = graph.ancestors(&[bare.head_node]).ones().map(|node| node as Node).collect();
    let root = above[0];
    let mut outcomes =
        if oracle == ORACLES[0] { monotonic(graph, above[above.len() / 3]) } else { alternating(graph, 5, 1) };
    outcomes[root as usize] = Outcome::Pass;
    let below = graph.descendants(&[root]);
    let failing: Vec<Node> =
        below.ones().filter(|&node| outcomes[node] == Outcome::Fail).map(|node| node as Node).collect();
    // The newest first, spread over the whole history.
    let leaves = (0..BAD).map(|i| failing[failing.len() - 1 - i * failing.len() / BAD]).collect();
    let case = Case { graph: graph.clone(), outcomes: outcomes.into(), leaves, goods: vec![root] };
    let paper = |search: SearchKind, propagate: bool| RegressionConfig {
        check_parents: false,
        propagate: Some(propagate),
        ..case.config().search(search)
    };
    let config = match SEARCHES.iter().position(|name| *name == search) {
        Some(0) => case.config(),
        Some(1) => RegressionConfig { prefer: Prefer::Latest, ..case.config() },
        Some(2) => paper(SearchKind::Binary, true),
        Some(3) => paper(SearchKind::Binary, false),
        Some(4) => paper(SearchKind::Multiplying, false),
        _ => return Err(format!("unknown search {search}")),
    };
    forget_peak();
    let before = status_mib("VmRSS");
    let (time, run) = processor_seconds(|| case.run(config));
    let peak = status_mib("VmHWM");
    if let Some(trouble) = run.trouble {
        return Err(trouble);
    }
    Ok(json!({"seconds": time, "peak_mib": peak, "before_mib": before, "runs": run.asked.len()}))
}

/// RPA with 1,000 bad revisions spread over the rails graph.
pub(super) fn many_bad(data: &Path) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for search in SEARCHES {
        for oracle in ORACLES {
            let what = format!("{BAD} bad revisions on rails, {search}, {oracle}");
            let measured = match ask(&format!("rpa:{search}:{oracle}"), data) {
                Ok(measured) => measured,
                Err(message) => {
                    eprintln!("{what}: {message}");
                    Value::Null
                }
            };
            let runs = measured["runs"].as_u64().unwrap_or(0);
            figures.push(Figure::aimed(
                format!("{what}: time ({runs} runs)"),
                number(&measured, "seconds"),
                "s",
                Aim::AtMost(2.0),
            ));
            figures.push(Figure::aimed(
                format!("  peak memory of the process ({:.0} MiB before the search)", number(&measured, "before_mib")),
                number(&measured, "peak_mib"),
                "MiB",
                Aim::AtMost(300.0),
            ));
        }
    }
    Ok(figures)
}

const MILLION: usize = 1_000_000;
const SHAPES: [&str; 2] = ["linear", "random merges"];

fn build(shape: &str) -> Result<Value, String> {
    let before = status_mib("VmRSS");
    let words = |error: firstbad::Error| error.to_string();
    let (time, graph) = if shape == SHAPES[0] {
        let ids: Vec<String> = (0..MILLION).map(|i| format!("{i:040x}")).collect();
        let before = status_mib("VmRSS");
        let (time, graph) = processor_seconds(|| CommitGraph::linear(&ids));
        return Ok(json!({
            "seconds": time, "peak_mib": status_mib("VmHWM"), "before_mib": before,
            "commits": graph.map_err(words)?.len(),
        }));
    } else {
        let shape = Shape::branchy(MILLION);
        processor_seconds(|| history(&shape, 1))
    };
    let graph = graph.map_err(words)?;
    Ok(json!({
        "seconds": time, "peak_mib": status_mib("VmHWM"), "before_mib": before, "commits": graph.len(),
    }))
}

/// Graphs of a million commits.
pub(super) fn large_graphs(data: &Path) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for shape in SHAPES {
        let measured = ask(&format!("build:{shape}"), data)?;
        let what = format!("graph of {} commits, {shape}", measured["commits"].as_u64().unwrap_or(0));
        figures.push(Figure::told(format!("{what}: time to build"), number(&measured, "seconds"), "s"));
        figures.push(Figure::told(
            format!("  peak memory of the process ({:.0} MiB of input before)", number(&measured, "before_mib")),
            number(&measured, "peak_mib"),
            "MiB",
        ));
    }
    Ok(figures)
}
