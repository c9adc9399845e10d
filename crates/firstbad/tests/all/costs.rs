//! Regression searches with unequal costs of runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::culprit::Rate;
use firstbad::graph::Node;
use firstbad::regression::{RegressionConfig, RegressionSearch, SearchKind};
use firstbad::{CommitGraph, Outcome, Search as _};
use firstbad_testkit::simulated::{Shape, history, monotonic};

fn list(suspects: usize) -> (Arc<CommitGraph>, RegressionConfig) {
    let ids: Vec<String> = (0..=suspects).map(|number| format!("r{number}")).collect();
    let graph = CommitGraph::linear(ids).expect("a list");
    (Arc::new(graph), RegressionConfig::new([format!("r{suspects}")]).good(["r0"]).no_test_endpoints())
}

fn costs<const N: usize>(costs: [(&str, f64); N]) -> Option<BTreeMap<String, f64>> {
    Some(costs.map(|(id, cost)| (id.to_owned(), cost)).into_iter().collect())
}

fn first(graph: &Arc<CommitGraph>, config: &RegressionConfig, jobs: usize) -> Vec<String> {
    let mut search = RegressionSearch::new(Arc::clone(graph), config.clone()).expect("valid ends");
    let mut asked: Vec<String> =
        search.ask(jobs).expect("jobs").iter().map(|probe| probe.revision().to_owned()).collect();
    asked.sort_unstable();
    asked
}

/// The total cost of a search with `costs`. It must find the culprit.
fn spent(
    graph: &Arc<CommitGraph>,
    config: &RegressionConfig,
    costs: &BTreeMap<String, f64>,
    culprit: Node,
    jobs: usize,
) -> f64 {
    let outcomes = monotonic(graph, culprit);
    let mut search = RegressionSearch::new(Arc::clone(graph), config.clone()).expect("valid ends");
    let mut spent = 0.0;
    while !search.is_done() {
        for probe in search.ask(jobs).expect("jobs") {
            spent += costs.get(probe.revision()).copied().unwrap_or(1.0);
            let node = graph.get(probe.revision()).expect("a revision");
            search.tell(probe.id, outcomes[node as usize].into()).expect("a first answer");
        }
    }
    assert_eq!(search.report().points[0].bad, graph.id(culprit));
    spent
}

#[test]
fn a_cheap_revision_near_the_middle_is_tested_first() {
    for count in [9, 100] {
        let (graph, mut config) = list(count);
        let cheap = format!("r{}", count / 3);
        config.costs = costs([(&cheap, 0.1)]);
        assert_eq!(first(&graph, &config, 1), [cheap], "{count}");
    }
}

#[test]
fn an_expensive_revision_in_the_middle_is_avoided() {
    for count in [8, 100] {
        let (graph, mut config) = list(count);
        assert_eq!(first(&graph, &config, 1), [format!("r{}", count / 2)]);
        let middle = format!("r{}", count / 2);
        config.costs = costs([(&middle, 100.0)]);
        let asked = first(&graph, &config, 1);
        assert!(asked == [format!("r{}", count / 2 - 1)] || asked == [format!("r{}", count / 2 + 1)], "{asked:?}");
    }
}

#[test]
fn parallel_runs_prefer_cheap_revisions() {
    let (graph, mut config) = list(1000);
    config.costs = costs([("r300", 0.1), ("r700", 0.1)]);
    assert_eq!(first(&graph, &config, 2), ["r300", "r700"]);
}

#[test]
fn cached_revisions_save_cost() {
    // Every tenth revision is built.
    let (graph, config) = list(200);
    let cached: BTreeMap<String, f64> = (1..20).map(|number| (format!("r{}", 10 * number), 0.1)).collect();
    let aware = RegressionConfig { costs: Some(cached.clone()), ..config.clone() };
    for (jobs, most) in [(1, 0.75), (4, 0.8)] {
        let sum = |config: &RegressionConfig| -> f64 {
            (1..=200).step_by(3).map(|culprit| spent(&graph, config, &cached, culprit, jobs)).sum()
        };
        let (with, without) = (sum(&aware), sum(&config));
        assert!(with <= most * without, "{jobs} jobs: {}", with / without);
    }
}

#[test]
fn cheap_revisions_save_cost_on_branchy_histories() {
    let graph = Arc::new(history(&Shape::branchy(200), 3).expect("a history"));
    let leaf = graph.leaves().max_by_key(|&leaf| graph.ancestors(&[leaf]).count_ones(..)).expect("a leaf");
    let config = RegressionConfig::new([graph.id(leaf)]).good([graph.id(0)]).no_test_endpoints();
    let cached: BTreeMap<String, f64> =
        (0..graph.len() as Node).step_by(5).map(|node| (graph.id(node).to_owned(), 0.05)).collect();
    let aware = RegressionConfig { costs: Some(cached.clone()), ..config.clone() };
    let suspects: Vec<Node> = graph.ancestors(&[leaf]).ones().skip(1).step_by(3).map(|node| node as Node).collect();
    for jobs in [1, 4] {
        let sum = |config: &RegressionConfig| -> f64 {
            suspects.iter().map(|&culprit| spent(&graph, config, &cached, culprit, jobs)).sum()
        };
        let (with, without) = (sum(&aware), sum(&config));
        assert!(with <= 0.9 * without, "{jobs} jobs: {}", with / without);
    }
}

#[test]
fn equal_costs_change_only_the_unit() {
    let (graph, config) = list(60);
    let even: BTreeMap<String, f64> = (0..=60).map(|number| (format!("r{number}"), 3.0)).collect();
    let told = RegressionConfig { costs: Some(even), ..config.clone() };
    let none = BTreeMap::new();
    for culprit in 1..=60 {
        assert!(
            spent(&graph, &told, &none, culprit, 1) <= spent(&graph, &config, &none, culprit, 1) + 1.0,
            "culprit {culprit}"
        );
    }
}

#[test]
fn costs_work_with_flaky_tests() {
    let (graph, config) = list(100);
    let config = RegressionConfig {
        search: SearchKind::Bayes,
        flake_rate: Some(Rate::Known(0.1)),
        costs: costs([("r40", 0.01)]),
        ..config
    };
    let mut search = RegressionSearch::new(graph, config).expect("valid ends");
    let mut asked = Vec::new();
    for _ in 0..3 {
        for probe in search.ask(1).expect("1") {
            asked.push(probe.revision().to_owned());
            search.tell(probe.id, Outcome::Fail.into()).expect("an answer");
        }
    }
    assert!(asked.contains(&"r40".to_owned()), "{asked:?}");
}

#[test]
fn invalid_costs_are_rejected() {
    let (graph, config) = list(5);
    for (given, words) in [
        (costs([("r2", 0.0)]), "costs[\"r2\"]: 0.0 is not valid; expected a finite cost above 0"),
        (costs([("r2", f64::NAN)]), "costs[\"r2\"]: NaN is not valid; expected a finite cost above 0"),
        (costs([("nobody", 1.0)]), "costs: "),
    ] {
        let refused = RegressionConfig { costs: given, ..config.clone() };
        let error = RegressionSearch::new(Arc::clone(&graph), refused).err().expect("refused").to_string();
        assert!(error.starts_with(words), "{error}");
    }
    let path = RegressionConfig { search: SearchKind::Binary, costs: costs([("r2", 0.5)]), ..config };
    let error = RegressionSearch::new(graph, path).err().expect("refused").to_string();
    assert!(error.starts_with("costs: \"1 costs\" is not valid; expected nothing, or search=\"auto\""), "{error}");
}
