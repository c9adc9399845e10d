//! The rounds of searches with parallel runs, compared with the optimum.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::regression::{RegressionConfig, RegressionSearch, SearchKind};
use firstbad::{CommitGraph, Outcome, Search as _};
use firstbad_testkit::simulated::{Shape, history, monotonic};

/// A list of suspects after a passing revision.
fn list(suspects: usize) -> (Arc<CommitGraph>, RegressionConfig) {
    let ids: Vec<String> = (0..=suspects).map(|number| format!("r{number}")).collect();
    let graph = CommitGraph::linear(ids).expect("a list");
    (Arc::new(graph), RegressionConfig::new([format!("r{suspects}")]).good(["r0"]).no_test_endpoints().unconfirmed())
}

/// The rounds until the culprit is found.
fn rounds(graph: &Arc<CommitGraph>, config: &RegressionConfig, jobs: usize, outcomes: &[Outcome]) -> usize {
    let mut search = RegressionSearch::new(Arc::clone(graph), config.clone()).expect("valid ends");
    let mut rounds = 0;
    while !search.is_done() {
        let probes = search.ask(jobs).expect("jobs");
        assert!((1..=jobs).contains(&probes.len()), "{} probes for {jobs} jobs", probes.len());
        for probe in probes {
            let node = graph.get(probe.revision()).expect("a revision");
            search.tell(probe.id, outcomes[node as usize].into()).expect("a first answer");
        }
        rounds += 1;
    }
    rounds
}

/// The sum of rounds over all culprits of a list. Part of a list is searched like a list of that length.
fn total(suspects: usize, jobs: usize, known: &mut HashMap<usize, usize>) -> usize {
    if suspects < 2 {
        return 0;
    }
    if let Some(&total) = known.get(&suspects) {
        return total;
    }
    let (graph, config) = list(suspects);
    let mut search = RegressionSearch::new(graph, config).expect("valid ends");
    let probes = search.ask(jobs).expect("jobs");
    let mut places: Vec<usize> = probes.iter().map(|probe| probe.revision()[1..].parse().expect("a number")).collect();
    places.sort_unstable();
    places.push(suspects);
    let mut before = 0;
    let mut sum = suspects;
    for place in places {
        sum += total(place - before, jobs, known);
        before = place;
    }
    known.insert(suspects, sum);
    sum
}

/// The minimum sum of rounds for each number of suspects up to `most`, by dynamic programming over all divisions.
fn least(most: usize, jobs: usize) -> Vec<usize> {
    let mut totals = vec![0, 0];
    for n in 2..=most {
        let mut best = vec![usize::MAX; n + 1];
        best[0] = 0;
        // Parts of descending size would be enough, but all orders are as easy to write.
        for _ in 0..=jobs.min(n - 1) {
            let before = best.clone();
            for end in 1..=n {
                for size in 1..=end.min(n - 1) {
                    if before[end - size] < usize::MAX {
                        best[end] = best[end].min(before[end - size] + totals[size]);
                    }
                }
            }
        }
        totals.push(n + best[n]);
    }
    totals
}

#[test]
fn expected_rounds_on_lists_are_near_the_optimum() {
    for jobs in [2, 3, 4, 8] {
        let least = least(120, jobs);
        let mut known = HashMap::new();
        for suspects in (2..=120).step_by(if jobs == 2 { 1 } else { 7 }) {
            let (ours, least) = (total(suspects, jobs, &mut known), least[suspects]);
            assert!(ours >= least, "fewer than the optimum for {suspects}, {jobs} jobs: {ours}, {least}");
            assert!(100 * ours <= 103 * least, "{suspects} suspects, {jobs} jobs: {ours} instead of {least}");
        }
    }
}

/// The mean minimum in closed form: the mean depth of a leaf in the shallowest tree with at most `jobs + 1` children for each
/// node. A unit test compares the formula with dynamic programming.
fn closed_form(suspects: usize, jobs: usize) -> f64 {
    let (mut depth, mut leaves) = (0, 1);
    while leaves * (jobs + 1) <= suspects {
        (depth, leaves) = (depth + 1, leaves * (jobs + 1));
    }
    let nodes = (suspects - leaves).div_ceil(jobs);
    f64::from(depth) + (suspects - leaves + nodes) as f64 / suspects as f64
}

#[test]
fn expected_rounds_on_longer_lists_are_near_the_optimum() {
    for (suspects, jobs) in [(300, 2), (350, 4), (1000, 4), (1000, 8), (300, 16), (1000, 16)] {
        let optimum = closed_form(suspects, jobs);
        let expected = total(suspects, jobs, &mut HashMap::new()) as f64 / suspects as f64;
        assert!(expected <= 1.03 * optimum, "{suspects} suspects, {jobs} jobs: {expected} instead of {optimum}");
        assert!(expected >= optimum - 1e-9, "{suspects} suspects, {jobs} jobs: {expected}, below {optimum}");
    }
}

#[test]
fn whole_searches_take_the_expected_rounds() {
    let (graph, config) = list(40);
    for jobs in [2, 5] {
        let driven: usize =
            (1..=40).map(|culprit| rounds(&graph, &config, jobs, &monotonic(&graph, culprit as Node))).sum();
        assert_eq!(driven, total(40, jobs, &mut HashMap::new()), "{jobs} jobs");
    }
}

#[test]
fn the_most_likely_suspect_is_isolated_first() {
    let (graph, mut config) = list(20);
    config.prior = Some(BTreeMap::from([("r7".to_owned(), 60.0), ("r1".to_owned(), 1.0)]).into());
    let mut search = RegressionSearch::new(graph, config).expect("valid ends");
    let mut asked: Vec<String> = search.ask(2).expect("2").iter().map(|probe| probe.revision().to_owned()).collect();
    asked.sort_unstable();
    assert_eq!(asked, ["r6", "r7"]);
}

#[test]
fn branchy_histories_take_few_more_rounds_than_lists() {
    for (jobs, most) in [(2, 1.10), (4, 1.05), (8, 1.06)] {
        let (mut taken, mut optimum) = (0.0, 0.0);
        for seed in 0..6 {
            let graph = Arc::new(history(&Shape::branchy(70), seed).expect("a history"));
            let leaf = graph.leaves().max_by_key(|&leaf| graph.ancestors(&[leaf]).count_ones(..)).expect("a leaf");
            let config = RegressionConfig::new([graph.id(leaf)]).good([graph.id(0)]).no_test_endpoints().unconfirmed();
            let mut suspects = graph.ancestors(&[leaf]);
            suspects.set(0, false);
            let count = suspects.count_ones(..);
            for culprit in suspects.ones() {
                taken += rounds(&graph, &config, jobs, &monotonic(&graph, culprit as Node)) as f64;
            }
            optimum += least(count, jobs)[count] as f64;
        }
        assert!(taken <= most * optimum, "{jobs} jobs: {} of the optimum on lists", taken / optimum);
    }
}

#[test]
fn the_choice_of_git_runs_with_both_of_its_successors() {
    let (graph, config) = list(8);
    let mut search = RegressionSearch::new(graph, config.search(SearchKind::Bisect)).expect("valid ends");
    let asked: Vec<String> = search.ask(3).expect("3").iter().map(|probe| probe.revision().to_owned()).collect();
    assert_eq!(asked, ["r4", "r2", "r6"]);
}

/// Two parallel lines of suspects, `a...` and `b...`, after a passing revision.
fn two_lines(a: usize, b: usize, propagate: bool) -> RegressionSearch {
    let line = |name: char, count: usize| {
        let id = move |number: usize| if number == 0 { "r0".to_owned() } else { format!("{name}{number}") };
        (1..=count).map(move |number| (id(number), vec![id(number - 1)]))
    };
    let graph = CommitGraph::new([("r0".to_owned(), Vec::new())].into_iter().chain(line('a', a)).chain(line('b', b)));
    let config =
        RegressionConfig::new([format!("a{a}"), format!("b{b}")]).good(["r0"]).no_test_endpoints().unconfirmed();
    let config = RegressionConfig { propagate: Some(propagate), ..config.search(SearchKind::Bisect) };
    RegressionSearch::new(Arc::new(graph.expect("two lines")), config).expect("valid ends")
}

fn asked(search: &mut RegressionSearch, count: usize) -> Vec<char> {
    let probes = search.ask(count).expect("a number");
    probes.iter().filter_map(|probe| probe.revision().chars().next()).collect()
}

#[test]
fn idle_jobs_test_suspects_of_the_next_bad_revision() {
    let mut search = two_lines(3, 64, true);
    let lines = asked(&mut search, 5);
    assert_eq!(lines.len(), 5);
    assert!(lines.iter().filter(|&&line| line == 'a').count() == 2 && lines.contains(&'b'), "{lines:?}");
}

#[test]
fn revisions_that_may_not_be_needed_come_later() {
    // With propagation, the second search is seldom needed. Without, it is nearly always needed.
    assert_eq!(asked(&mut two_lines(64, 64, true), 2), ['a', 'a']);
    assert_eq!(asked(&mut two_lines(64, 64, false), 2), ['a', 'b']);
}
