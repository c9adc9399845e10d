//! Reports of searches that are opened by the name of their algorithm.

use std::sync::Arc;

use firstbad::{
    CommitGraph, GraphBuilder, Origin, Outcome, RegressionConfig, RegressionSearch, Report, Search, Status, World, open,
};
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
fn unknown_algorithms_and_mismatched_reports_are_rejected() {
    let error = |algorithm: &str, json: &str| Report::from_json(algorithm, json).unwrap_err().to_string();
    let unknown = error("bisection", "{}");
    assert!(unknown.contains("bisection") && unknown.contains("regression, culprit"), "{unknown}");
    let minimize = open("minimize", 3, &json!({})).unwrap().inspect().report_json().unwrap();
    let other = error("regression", &minimize);
    assert!(other.contains("kept") && other.contains("a report of the algorithm \"regression\""), "{other}");
    assert!(error("culprit", "").contains("report"));
}

#[test]
fn the_revision_before_a_point_is_not_a_parent_in_a_history_limited_to_paths() {
    let report = |paths: &[&str], kept: &[&str]| {
        let mut builder = GraphBuilder::new();
        (0..3).for_each(|number: usize| {
            builder.revision(&number.to_string(), number.checked_sub(1).map(|before| before.to_string()).iter());
        });
        builder.origin(Origin {
            repository: "/r".to_owned(),
            tips: vec!["2".to_owned()],
            exclude: Vec::new(),
            first_parent: false,
            paths: paths.iter().map(|&path| path.to_owned()).collect(),
            kept: kept.iter().map(|&kept| kept.to_owned()).collect(),
        });
        let graph = Arc::new(builder.build().unwrap());
        let mut search = RegressionSearch::new(graph, RegressionConfig::new(["2"]).good(["0"])).unwrap();
        while let Some(probe) = search.ask(1).unwrap().pop() {
            let outcome = if probe.revision() == "2" { Outcome::Fail } else { Outcome::Pass };
            search.tell(probe.id, outcome.into()).unwrap();
        }
        search.report()
    };
    let message = |paths, kept| report(paths, kept).message;
    assert_eq!(message(&[], &[]), "the culprit is 2: it fails, and its parent 1 passes");
    assert_eq!(
        message(&["src"], &["0"]),
        "the culprit is 2: it fails, and 1, right before it in the history of these paths, passes"
    );
    // The commits between them were not tested.
    let beyond = report(&["src"], &["0", "2"]);
    let words = "2 fails, but does not touch these paths. 1, before it in their history, passes. The culprit may be a commit that \
                 was not considered";
    assert_eq!((beyond.status, beyond.message.as_str()), (Status::Ambiguous, words));
    let point = &beyond.points[0];
    assert!(point.outside_paths && !point.parents_pass);
    assert_eq!(point.candidates, ["2"]);
}
