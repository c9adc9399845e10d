//! A large history with many bad leaves.

use std::sync::Arc;
use std::time::Instant;

use firstbad::graph::Node;
use firstbad::{Outcome, World};
use firstbad_testkit::simulated::{Shape, alternating, history};
use serde_json::{Value, json};

use crate::{Trouble, timed};

/// The number of outcome changes per 1,000 revisions.
const TURNS: u64 = 20;

/// Searches a history of `commits` commits with `leaves` bad leaves.
pub(crate) fn soak(commits: usize, leaves: usize) -> Result<(), Trouble> {
    let kinds = [
        ("auto, fewest", "regression", json!({"search": "auto"})),
        ("auto, latest", "regression", json!({"search": "auto", "prefer": "latest"})),
        ("gallop", "regression", json!({"search": "gallop"})),
        ("binary, to the paper's letter", "regression", json!({"search": "binary", "check_parents": false})),
        ("halving, one leaf", "regression", json!({"search": "bisect"})),
        ("weighted, one leaf", "regression", json!({"search": "weighted"})),
        ("culprit, one leaf", "culprit", json!({"flake_rate": 0.1})),
    ];
    for (name, algorithm, configuration) in kinds {
        let leaves = if name.ends_with("one leaf") { 1 } else { leaves };
        timed::at_two_sizes(name, commits, |commits| searched(commits, leaves, algorithm, configuration.clone()))?;
    }
    Ok(())
}

fn searched(commits: usize, leaves: usize, algorithm: &str, mut configuration: Value) -> Result<String, Trouble> {
    let start = Instant::now();
    let graph = Arc::new(history(&Shape { forks: 50, ..Shape::branchy(commits) }, 1)?);
    let outcomes = alternating(&graph, TURNS, 2);
    let made = start.elapsed().as_secs_f64();
    let fails = |&node: &Node| outcomes[node as usize] == Outcome::Fail && graph.children(node).is_empty();
    let bad: Vec<Node> = (0..graph.len() as Node).rev().filter(fails).collect();
    let every = (bad.len() / leaves).max(1);
    let bad: Vec<Value> = bad.iter().step_by(every).take(leaves).map(|&node| json!(graph.id(node))).collect();
    let count = bad.len();
    configuration["bad"] = Value::Array(bad);
    let mut search = firstbad::open(algorithm, World::History(graph.clone()), &configuration)?;
    while !search.is_done() {
        for probe in search.ask(1)? {
            let node = graph.get(probe.revision()).ok_or("asked for what is no revision")?;
            search.tell(probe.id, outcomes[node as usize].into())?;
        }
    }
    let report: Value = serde_json::from_str(&search.inspect().report_json()?)?;
    let points = report["points"].as_array().map_or(0, Vec::len);
    let (runs, status) = (search.runs(), search.status());
    Ok(format!("graph {made:.2} s, {count} bad leaves, {runs} runs, {points} points, {status:?}"))
}
