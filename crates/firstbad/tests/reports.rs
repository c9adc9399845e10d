//! Reports of searches whose algorithm is known only by its name.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::sync::Arc;

use firstbad::{CommitGraph, Report, Search, World, open};
use serde_json::{Value, json};

fn searches() -> Vec<Box<dyn Search>> {
    let graph = || World::from(Arc::new(CommitGraph::linear(["a", "b", "c"]).unwrap()));
    let ends = json!({"good": ["a"], "bad": ["c"], "flake_rate": 0.1});
    let lists = json!({"good": ["a"], "bad": ["c"]});
    let verified = json!({"culprit": "b", "good": ["a"], "bad": ["c"], "flake_rate": 0.1, "confidence": 0.9});
    vec![
        open("regression", graph(), &lists).unwrap(),
        open("culprit", graph(), &ends).unwrap(),
        open("verification", graph(), &verified).unwrap(),
        open("minimize", 3, &json!({})).unwrap(),
        open("isolate", 3, &json!({})).unwrap(),
    ]
}

#[test]
fn every_algorithm_has_its_report() {
    for mut search in searches() {
        let probe = search.ask(1).unwrap().remove(0);
        search.tell(probe.id, firstbad::Outcome::Fail.into()).unwrap();
        let report = Report::of(search.inspect()).unwrap();
        let told: Value = serde_json::from_str(&search.inspect().report_json().unwrap()).unwrap();
        assert_eq!(serde_json::to_value(&report).unwrap(), told);
        assert_eq!((report.message(), report.observations().len()), (told["message"].as_str().unwrap(), 1));
        let kind = format!("{report:?}").to_lowercase();
        assert!(kind.starts_with(search.inspect().algorithm()), "{kind}");
    }
}

#[test]
fn nothing_falls_through() {
    let error = |algorithm: &str, json: &str| Report::from_json(algorithm, json).unwrap_err().to_string();
    let unknown = error("bisection", "{}");
    assert!(unknown.contains("bisection") && unknown.contains("regression, culprit"), "{unknown}");
    let minimize = open("minimize", 3, &json!({})).unwrap().inspect().report_json().unwrap();
    let other = error("regression", &minimize);
    assert!(other.contains("kept") && other.contains("a report of the algorithm \"regression\""), "{other}");
    assert!(error("culprit", "").contains("report"));
}
