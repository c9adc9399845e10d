//! The data that a search hands to the reductions that look for the causes of its points.

use firstbad::regression::Explanation;
use firstbad::{Budget, CommitGraph, Observation, Outcome, RegressionConfig, RegressionSearch, Search};
use serde_json::{Value, json};

/// Returns a search on a line of eight revisions that fail from 5 on, after at most `answers` outcomes.
fn searched(options: &Value, answers: usize) -> RegressionSearch {
    let graph = CommitGraph::linear((0..8).map(|place| place.to_string())).expect("a line");
    let mut config = json!({"bad": ["7"], "good": ["0"]});
    config.as_object_mut().expect("fields").extend(options.as_object().expect("fields").clone());
    let config: RegressionConfig = serde_json::from_value(config).expect("a configuration");
    let mut search = RegressionSearch::new(graph, config).expect("two ends");
    for _ in 0..answers {
        for probe in search.ask(1).expect("one") {
            let fails = probe.revision().parse::<usize>().expect("a number") >= 5;
            let mut seen = Observation::new(if fails { Outcome::Fail } else { Outcome::Pass });
            seen.cost = Some(2.0);
            seen.signature = fails.then(|| "broken".into());
            search.tell(probe.id, seen).expect("it was asked");
        }
    }
    search
}

fn explained(options: &Value, answers: usize, budget: Budget) -> Explanation {
    Explanation::of(searched(options, answers).inspect(), budget).expect("a search for regressions")
}

#[test]
fn a_reduction_keeps_the_failure_of_the_search() {
    let explained = explained(&json!({"signature": "broken"}), 9, Budget::default());
    assert_eq!(explained.configuration.keep, Outcome::Fail);
    assert_eq!(explained.configuration.signature.as_deref(), Some("broken"));
    assert_eq!(explained.points.len(), 1);
    assert_eq!((explained.points[0].good.as_deref(), explained.points[0].bad.as_str()), (Some("4"), "5"));
    assert_eq!(explained.points[0].no_cause, None);
}

#[test]
fn a_false_pass_of_the_search_is_a_flake_of_the_reduction() {
    let noise = json!({"search": "bayes", "flake_rate": 0.125, "false_pass_rate": 0.0625, "confidence": 0.875});
    let explained = explained(&noise, 40, Budget::default());
    let written = serde_json::to_value(&explained.configuration).expect("a JSON form");
    assert_eq!(written["confidence"], json!(0.875));
    assert_eq!((&written["flake_rate"], &written["false_pass_rate"]), (&json!(0.0625), &json!(0.125)));
}

#[test]
fn search_and_reductions_share_one_budget() {
    let budget = Budget { runs: Some(100), cost: Some(100.0), ..Budget::default() };
    let runs = searched(&json!({}), 9).runs();
    let left = explained(&json!({}), 9, budget).left;
    assert_eq!((left.runs, left.cost), (Some(100 - runs), Some(100.0 - 2.0 * runs as f64)));
}

#[test]
fn a_point_without_a_cause_has_a_reason() {
    let mut explained = explained(&json!({}), 9, Budget::default());
    let found = explained.message.clone();
    assert_eq!(explained.told(1, None).expect_err("there is one point").code(), "invalid_argument");
    explained.told(0, None).expect("an empty patch");
    assert_eq!(explained.points[0].no_cause.as_deref(), Some("4 has the same files"));
    assert_eq!(explained.message, format!("{found}. 5 has no cause to find, because 4 has the same files"));
    assert!(explained.told(0, None).is_err(), "it has its answer");
}
