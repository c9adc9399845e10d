//! The judge accepts no wrong result.

use firstbad::graph::Node;
use firstbad::{CommitGraph, Outcome, RegressionReport, Status};
use firstbad_testkit::replay::{Case, Run};
use firstbad_testkit::soundness::violations;
use firstbad_testkit::truth::{distances_to, suspects};

/// Returns the history r - a - b - c - d with the outcomes P P F F F.
fn linear() -> Case {
    let graph = CommitGraph::linear(["r", "a", "b", "c", "d"]).unwrap();
    let outcomes = [Outcome::Pass, Outcome::Pass, Outcome::Fail, Outcome::Fail, Outcome::Fail];
    Case { graph: graph.into(), outcomes: outcomes.into(), leaves: vec![4], goods: vec![0] }
}

fn judged(case: &Case, change: impl FnOnce(&mut Run, &mut RegressionReport)) -> Vec<String> {
    let mut run = case.run(case.config());
    let mut report = run.report.take().unwrap();
    change(&mut run, &mut report);
    run.report = Some(report);
    violations(case, &run, true)
}

#[test]
fn a_correct_result_is_sound() {
    assert_eq!(judged(&linear(), |_, _| ()), Vec::<String>::new());
}

#[test]
fn a_wrong_result_is_not_sound() {
    let case = linear();
    let is_caught =
        |change: fn(&mut Run, &mut RegressionReport)| assert_ne!(judged(&case, change), Vec::<String>::new());
    is_caught(|_, report| report.points[0].parents_pass = false);
    is_caught(|_, report| report.points[0].good = Some("r".into()));
    is_caught(|_, report| report.points[0].good = None);
    is_caught(|_, report| report.points[0].bad = "d".into());
    is_caught(|_, report| report.points[0].distances[0] += 1);
    is_caught(|_, report| report.points[0].candidates = vec!["c".into()]);
    is_caught(|_, report| report.points[0].unresolved_parents = vec!["a".into()]);
    is_caught(|_, report| report.status = Status::Running);
    is_caught(|_, report| report.runs += 1);
    is_caught(|_, report| report.leaves[0].points.clear());
    is_caught(|_, report| report.leaves.clear());
    is_caught(|run, _| run.asked.push(4));
    is_caught(|run, _| run.asked.push(run.asked[0]));
}

#[test]
fn an_untested_point_is_detected() {
    let mut case = linear();
    let run = case.run(case.config());
    // With other outcomes, the report contradicts them.
    case.outcomes = vec![Outcome::Pass; 5].into();
    assert_ne!(violations(&case, &run, true), Vec::<String>::new());
}

#[test]
fn truths_follow_from_all_outcomes() {
    let pairs = [("r", vec![]), ("a", vec!["r"]), ("b", vec!["r"]), ("m", vec!["a", "b"]), ("t", vec!["m"])];
    let graph = CommitGraph::new(pairs).unwrap();
    let outcomes = [Outcome::Pass, Outcome::Fail, Outcome::Pass, Outcome::Fail, Outcome::Fail];
    let case = Case { graph: graph.into(), outcomes: outcomes.into(), leaves: vec![4], goods: vec![0] };
    let distances = distances_to(&case.graph, 4);
    assert_eq!(distances, [Some(3), Some(2), Some(2), Some(1), Some(0)]);
    assert_eq!(suspects(&case), [1, 2, 3, 4] as [Node; 4]);
}
