//! A search is for the failure of the bad revision.

use std::collections::HashSet;

use firstbad::regression::{DistinguishFailures, RegressionReport};
use firstbad::{CommitGraph, Observation, Outcome, RegressionConfig, RegressionSearch, Search, Status};
use serde_json::json;

use Outcome::{Fail, Pass};

/// A failure with a name from a command oracle. The name alone does not decide.
fn failure(name: &str) -> Observation {
    Observation { signals: Some(json!({ "failure": name })), ..Fail.into() }
}

/// Fails in one way from r5 on, and in another way from r12 on.
fn two_bugs(number: usize) -> Observation {
    match number {
        0..5 => Pass.into(),
        5..12 => failure("ImportError"),
        _ => failure("AssertionError"),
    }
}

/// Searches r0 to r19, and returns the runs.
fn searched(
    distinguish: DistinguishFailures,
    outcome: impl Fn(usize) -> Observation,
) -> (RegressionReport, Vec<String>) {
    let graph = CommitGraph::linear((0..20).map(|number| format!("r{number}"))).unwrap();
    let config = RegressionConfig { distinguish_failures: distinguish, ..RegressionConfig::new(["r19"]).good(["r0"]) };
    let mut search = RegressionSearch::new(graph, config).unwrap();
    let mut asked = Vec::new();
    while let Some(probe) = search.ask(1).unwrap().pop() {
        asked.push(probe.revision().to_owned());
        search.tell(probe.id, outcome(probe.revision()[1..].parse().unwrap())).unwrap();
    }
    (search.report(), asked)
}

#[test]
fn both_commits_are_named_if_the_culprit_fails_in_another_way() {
    let (report, asked) = searched(DistinguishFailures::default(), two_bugs);
    let point = &report.points[0];
    assert_eq!((report.status, point.bad.as_str(), point.good.as_deref()), (Status::Ambiguous, "r12", Some("r4")));
    for number in 5..=12 {
        assert!(point.candidates.contains(&format!("r{number}")), "{point:?}");
    }
    let said = "the test fails in another way since r5 (\"ImportError\"), and since r12 as at r19 (\"AssertionError\")";
    assert_eq!(report.warnings, [said]);
    let once: HashSet<&String> = asked.iter().collect();
    assert_eq!(once.len(), asked.len(), "no run is repeated: {asked:?}");
}

#[test]
fn distinguishing_from_the_start_gives_the_same_result() {
    let (by_itself, _) = searched(DistinguishFailures::default(), two_bugs);
    let (told, _) = searched(DistinguishFailures::Always(true), two_bugs);
    assert_eq!(told.points, by_itself.points);
}

#[test]
fn the_first_failure_is_the_result_if_failures_are_not_distinguished() {
    let (report, _) = searched(DistinguishFailures::Always(false), two_bugs);
    assert_eq!((report.status, report.points[0].bad.as_str()), (Status::Found, "r5"));
    assert!(report.warnings[0].contains("there may be two bugs"), "{:?}", report.warnings);
}

#[test]
fn a_test_with_varying_output_has_one_failure() {
    let (report, asked) = searched(DistinguishFailures::default(), |number| match number {
        0..5 => Pass.into(),
        _ => failure(&format!("at address {number}")),
    });
    assert_eq!((report.status, report.points[0].bad.as_str()), (Status::Found, "r5"));
    assert!(asked.len() <= 10, "{asked:?}");
}

#[test]
fn one_failure_costs_no_extra_run() {
    let one = |number: usize| if number < 12 { Pass.into() } else { failure("AssertionError") };
    let (by_itself, asked) = searched(DistinguishFailures::default(), one);
    let (never, plain) = searched(DistinguishFailures::Always(false), one);
    assert_eq!((by_itself.points, asked), (never.points, plain));
    assert_eq!(by_itself.status, Status::Found);
}

#[test]
fn a_search_is_the_same_after_a_replay() {
    let graph = CommitGraph::linear((0..20).map(|number| format!("r{number}"))).unwrap();
    let mut search = RegressionSearch::new(graph, RegressionConfig::new(["r19"]).good(["r0"])).unwrap();
    while !search.is_done() {
        for probe in search.ask(3).unwrap() {
            search.tell(probe.id, two_bugs(probe.revision()[1..].parse().unwrap())).unwrap();
        }
    }
    let mut again = search.fresh().unwrap();
    again.apply_all(&mut search.inspect().events(0).iter()).unwrap();
    assert_eq!(again.inspect().report_json().unwrap(), search.inspect().report_json().unwrap());
    assert_eq!(search.report().points[0].bad, "r12");
}
