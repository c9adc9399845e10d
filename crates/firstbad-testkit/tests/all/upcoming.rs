//! Predictions of the next probes, compared with the actual ones.

use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::{CommitGraph, Outcome, Run, RunOptions, Search, Target};
use firstbad_testkit::simulated::{Shape, history, monotonic};
use serde_json::json;

fn open(graph: &Arc<CommitGraph>, kind: &str, jobs: usize) -> (Box<dyn Search>, Run) {
    let ends = json!({"good": [graph.id(0)], "bad": [graph.id(graph.len() as Node - 1)], "search": kind});
    let mut search = firstbad::open("regression", Arc::clone(graph), &ends).unwrap();
    let run = Run::new(search.as_mut(), RunOptions { jobs, ..RunOptions::default() }).unwrap();
    (search, run)
}

#[test]
fn one_of_the_predicted_probes_is_asked_next() {
    for kind in ["auto", "bisect", "binary", "linear", "bayes"] {
        for seed in 0..6 {
            let graph = Arc::new(history(&Shape { roots: 0, ..Shape::branchy(80) }, seed).unwrap());
            let outcomes = monotonic(&graph, 30);
            let (mut search, mut run) = open(&graph, kind, 1);
            while !search.is_done() {
                let before = search.inspect().snapshot().unwrap();
                assert_eq!(run.upcoming(search.as_ref()).unwrap(), [], "nothing is out");
                assert_eq!(search.inspect().snapshot().unwrap(), before);
                let probe = run.take(search.as_mut(), &mut || true).unwrap().remove(0);
                let said = run.upcoming(search.as_ref()).unwrap();
                // A search that repeats runs can ask for the same target again.
                let is_new = search.inspect().repeats() || !said.contains(&probe.target);
                assert!(said.len() <= 2 && is_new, "{kind}: {said:?}");
                assert_eq!(run.upcoming(search.as_ref()).unwrap(), [], "it was said once");
                let outcome = outcomes[graph.get(probe.revision()).unwrap() as usize];
                run.answered(search.as_mut(), probe.id, outcome.into()).unwrap();
                if let Some(next) = search.ask(1).unwrap().pop() {
                    assert!(said.contains(&next.target), "{kind}: {} is not in {said:?}", next.target);
                    search.abandon(next.id).unwrap();
                }
            }
        }
    }
}

/// Ten suspects follow the tested one, and two precede it.
#[test]
fn the_outcome_that_leaves_more_suspects_comes_first() {
    let graph = Arc::new(CommitGraph::linear((0..14).map(|node| node.to_string())).unwrap());
    let ends = json!({"good": ["0"], "bad": ["13"], "test_endpoints": false, "search": "bisect"});
    let mut search = firstbad::open("regression", Arc::clone(&graph), &ends).unwrap();
    search.enqueue(&Target::from("3".to_owned())).unwrap();
    let probe = search.ask(1).unwrap().remove(0);
    let after = |outcome: Outcome| {
        let mut other = search.fresh().unwrap();
        other.apply_all(&mut search.inspect().events(0).iter()).unwrap();
        other.tell(probe.id, outcome.into()).unwrap();
        other.ask(1).unwrap().remove(0).target
    };
    let said = search.inspect().upcoming().unwrap();
    assert_eq!(said, [after(Outcome::Pass), after(Outcome::Fail)]);
    // With several probes in flight, the prediction uses the oldest one and leaves out those in flight.
    let second = search.ask(1).unwrap().remove(0).target;
    assert!(!search.inspect().upcoming().unwrap().contains(&second));
}
