//! The cards that must be the same in every language: `tests/vectors/values/cards.json`.

use std::sync::Arc;

use firstbad::{CommitGraph, Observation, Outcome, Report, Search};
use firstbad_report::card;
use serde_json::{Value, json};

/// Revisions with their parents.
type Graph = Vec<(String, Vec<String>)>;

struct Case {
    name: &'static str,
    algorithm: &'static str,
    graph: Graph,
    options: Value,
    /// The maximum number of outcomes.
    answers: usize,
    outcome: fn(usize, &str) -> Outcome,
}

/// A trunk of 30 builds, a side branch from the tenth to the twentieth, and a second tip.
fn graph() -> Graph {
    let mut graph: Graph = vec![("t0".to_owned(), vec![])];
    for number in 1..30 {
        let mut parents = vec![format!("t{}", number - 1)];
        if number == 20 {
            parents.push("s7".to_owned());
        }
        if number == 10 {
            graph.push(("s0".to_owned(), vec!["t9".to_owned()]));
            graph.extend((1..8).map(|side| (format!("s{side}"), vec![format!("s{}", side - 1)])));
        }
        graph.push((format!("t{number}"), parents));
    }
    graph.push(("<b>&\u{202e}x".to_owned(), vec!["t25".to_owned()]));
    graph
}

/// Broken from the fourth build of the side branch on.
fn broken(_: usize, revision: &str) -> Outcome {
    let number: usize = revision[1..].parse().unwrap_or(0);
    match &revision[..1] {
        "t" if number < 20 => Outcome::Pass,
        "s" if number < 4 => Outcome::Pass,
        _ => Outcome::Fail,
    }
}

fn flaky(run: usize, revision: &str) -> Outcome {
    if broken(0, revision) == Outcome::Fail || run % 4 == 1 { Outcome::Fail } else { Outcome::Pass }
}

fn cases() -> Vec<Case> {
    let ends = json!({"bad": ["t29", "<b>&\u{202e}x"], "good": ["t0"], "test": ["tests/<i>.py"]});
    let case = |name, algorithm, options: &Value, answers, outcome| {
        let options = options.clone();
        Case { name, algorithm, graph: graph(), options, answers, outcome }
    };
    let skips: fn(usize, &str) -> Outcome =
        |_, revision| if matches!(revision, "s4" | "s5") { Outcome::Unresolved } else { broken(0, revision) };
    let line = json!({"bad": ["t29"], "good": ["t0"], "flake_rate": 0.25});
    let verified = json!({"bad": ["t29"], "good": ["t0"], "culprit": "s4", "flake_rate": 0.25});
    vec![
        case("a regression", "regression", &ends, 99, broken),
        case("candidates", "regression", &ends, 99, skips),
        case("a search that runs", "regression", &ends, 4, broken),
        case("nothing fails", "regression", &ends, 99, |_, _| Outcome::Pass),
        case("a culprit", "culprit", &line, 200, flaky),
        case("a verification", "verification", &verified, 200, flaky),
    ]
}

fn played(case: &Case) -> Value {
    let graph = Arc::new(CommitGraph::new(case.graph.clone()).unwrap());
    let mut search = firstbad::open(case.algorithm, graph, &case.options).unwrap();
    let mut answers = Vec::new();
    while let Some(probe) = search.ask(1).unwrap().pop().filter(|_| answers.len() < case.answers) {
        let outcome = (case.outcome)(answers.len(), probe.revision());
        let observation = Observation { seconds: Some(1.5), ..Observation::new(outcome) };
        search.tell(probe.id, observation).unwrap();
        answers.push(outcome);
    }
    let report = Report::of(search.inspect()).unwrap();
    let html = card::page(&card::report(&report, Some(&*search as &dyn Search)));
    super::markup::check_page(&html);
    json!({
        "name": case.name, "algorithm": case.algorithm, "graph": case.graph, "options": case.options, "answers": answers,
        "page": html,
    })
}

#[test]
fn the_vectors_are_these() {
    let cards: Vec<Value> = cases().iter().map(played).collect();
    let all = serde_json::to_string_pretty(&json!({"schema": 1, "cards": cards})).unwrap() + "\n";
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/values/cards.json");
    if std::env::var_os("WRITE_VECTORS").is_some() {
        std::fs::write(&file, &all).unwrap();
    }
    assert!(std::fs::read_to_string(&file).unwrap_or_default() == all, "they change with WRITE_VECTORS=1");
}
