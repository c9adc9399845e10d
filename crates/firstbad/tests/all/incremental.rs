//! Regression searches where a build goes on from what the last one left.

use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::regression::{Incremental, RegressionConfig, RegressionSearch};
use firstbad::{CommitGraph, Outcome, Search as _};
use firstbad_testkit::simulated::{Shape, history, monotone};
use fixedbitset::FixedBitSet;

fn list(suspects: usize) -> (Arc<CommitGraph>, RegressionConfig) {
    let ids: Vec<String> = (0..=suspects).map(|number| format!("r{number}")).collect();
    let graph = CommitGraph::linear(ids).expect("a list");
    (Arc::new(graph), RegressionConfig::new([format!("r{suspects}")]).good(["r0"]).trust_ends())
}

fn incremental(config: &RegressionConfig) -> RegressionConfig {
    RegressionConfig { incremental: Some(Incremental::Named(true)), ..config.clone() }
}

/// How many revisions are changed from one run to the next, and how many runs there are.
fn took(graph: &Arc<CommitGraph>, config: &RegressionConfig, culprit: Node) -> (usize, usize) {
    let outcomes = monotone(graph, culprit);
    let mut search = RegressionSearch::new(Arc::clone(graph), config.clone()).expect("valid ends");
    let (mut held, mut changed, mut runs): (Option<FixedBitSet>, usize, usize) = (None, 0, 0);
    while !search.is_done() {
        let probe = search.ask(1).expect("a job").remove(0);
        let node = graph.get(probe.revision()).expect("a revision");
        let holds = graph.ancestors(&[node]);
        changed += held.map_or(0, |before| before.symmetric_difference(&holds).count());
        (held, runs) = (Some(holds), runs + 1);
        search.tell(probe.id, outcomes[node as usize].into()).expect("a first answer");
    }
    assert_eq!(search.report().points[0].bad, graph.id(culprit));
    (changed, runs)
}

/// What it saves of the changed revisions, and how many more runs it takes, as shares.
fn saved(graph: &Arc<CommitGraph>, config: &RegressionConfig, culprits: &[Node]) -> (f64, f64) {
    let sum = |config: &RegressionConfig| {
        let all = culprits.iter().map(|&culprit| took(graph, config, culprit));
        all.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    };
    let (with, without) = (sum(&incremental(config)), sum(config));
    (1.0 - with.0 as f64 / without.0 as f64, with.1 as f64 / without.1 as f64 - 1.0)
}

/// What is asked first, after the ends were tested: the last one of these holds the work tree.
fn first(config: &RegressionConfig, graph: &Arc<CommitGraph>, ends: [&str; 2]) -> String {
    let config = RegressionConfig { verify_ends: true, ..config.clone() };
    let mut search = RegressionSearch::new(Arc::clone(graph), config).expect("valid ends");
    for end in ends {
        let outcome = if end == "r0" { Outcome::Pass } else { Outcome::Fail };
        search.observe(&end.to_owned().into(), outcome.into()).expect("a first answer");
    }
    search.ask(1).expect("a question")[0].revision().to_owned()
}

#[test]
fn of_equals_the_nearest_to_what_was_tested_last_is_asked() {
    // Of 13 suspects r6 and r7 part the others alike.
    let (graph, config) = list(13);
    assert_eq!(first(&incremental(&config), &graph, ["r0", "r13"]), "r7");
    assert_eq!(first(&incremental(&config), &graph, ["r13", "r0"]), "r6");
    let off = RegressionConfig { incremental: Some(Incremental::Named(false)), ..config.clone() };
    for ends in [["r0", "r13"], ["r13", "r0"]] {
        assert_eq!(first(&off, &graph, ends), first(&config, &graph, ends));
    }
}

#[test]
fn on_branches_files_say_which_is_near() {
    // Two branches of six revisions each, merged: the ends of both halve the suspects.
    let side = |name: char| (1..=6).map(move |number| format!("{name}{number}"));
    let chain = |name: char| {
        let before = std::iter::once("r0".to_owned()).chain(side(name));
        side(name).zip(before).map(|(id, parent)| (id, vec![parent]))
    };
    let merge = ("merge".to_owned(), vec!["a6".to_owned(), "b6".to_owned()]);
    let all = [("r0".to_owned(), Vec::new())].into_iter().chain(chain('a')).chain(chain('b')).chain([merge]);
    let graph = Arc::new(CommitGraph::new(all).expect("a graph"));
    let config = RegressionConfig::new(["merge"]).good(["r0"]);
    for (heavy, nearest) in [("b3", "a6"), ("a3", "b6")] {
        let files = [(heavy.to_owned(), 100.0)].into_iter().collect();
        let config = RegressionConfig { incremental: Some(Incremental::Files(files)), ..config.clone() };
        // From the passing end what has to be built is what the branch changes.
        assert_eq!(first(&config, &graph, ["merge", "r0"]), nearest);
    }
}

#[test]
fn fewer_files_change_between_runs_and_as_many_runs_are_needed() {
    for count in [40, 150] {
        let (graph, config) = list(count);
        let (files, runs) = saved(&graph, &config, &(1..=count as Node).collect::<Vec<_>>());
        assert!(files >= 0.06 && runs <= 0.001, "list of {count}: {files} saved, {runs} more runs");
    }
    let graph = Arc::new(history(&Shape::branchy(200), 3).expect("a history"));
    let leaf = graph.leaves().max_by_key(|&leaf| graph.ancestors(&[leaf]).count_ones(..)).expect("a leaf");
    let config = RegressionConfig::new([graph.id(leaf)]).good([graph.id(0)]).trust_ends();
    let suspects: Vec<Node> = graph.ancestors(&[leaf]).ones().skip(1).step_by(3).map(|node| node as Node).collect();
    let (files, runs) = saved(&graph, &config, &suspects);
    assert!(files >= 0.02 && runs <= 0.005, "branches: {files} saved, {runs} more runs");
}

#[test]
fn beside_what_cannot_be_tested_the_side_nearer_to_the_last_run_is_asked() {
    let (graph, config) = list(100);
    let asked = |config: &RegressionConfig, ends: [&str; 2], from: usize, to: usize| {
        let config = RegressionConfig { verify_ends: true, ..config.clone() };
        let mut search = RegressionSearch::new(Arc::clone(&graph), config).expect("valid ends");
        for number in from..=to {
            search.observe(&format!("r{number}").into(), Outcome::Unresolved.into()).expect("a first answer");
        }
        for end in ends {
            let outcome = if end == "r0" { Outcome::Pass } else { Outcome::Fail };
            search.observe(&end.to_owned().into(), outcome.into()).expect("a first answer");
        }
        search.ask(1).expect("a question")[0].revision().to_owned()
    };
    for (from, to) in [(5, 5), (5, 33), (40, 60), (70, 90)] {
        for (ends, towards) in [(["r0", "r100"], 1), (["r100", "r0"], -1)] {
            let number = |id: String| id[1..].parse::<i32>().expect("a number");
            let (halving, near) =
                (number(asked(&config, ends, from, to)), number(asked(&incremental(&config), ends, from, to)));
            assert!((near - halving) * towards >= 0, "{from} to {to}: {near} is further than {halving}");
            assert!(!(from as i32 - 1..=to as i32 + 1).contains(&near), "{near} is beside what cannot be tested");
        }
    }
}
