//! One example for each verdict.

use std::sync::Arc;

use firstbad::{
    Budget, CommitGraph, Observation, Outcome, Probe, Search as _, Stage, Status, Target, TestResult, TriageConfig,
    TriageReport, TriageSearch, Verdict, explain,
};

use super::world::{Manner, World, line, triage};

fn world(tests: &[Manner]) -> World {
    World { graph: line(32), tests: tests.to_vec(), unbuildable: Vec::new(), crashes: false }
}

fn config(count: usize) -> TriageConfig {
    TriageConfig::new("r31", (0..count).map(World::id)).good(["r0"])
}

fn verdicts(report: &TriageReport) -> Vec<(Verdict, Option<&str>)> {
    report.tests.iter().map(|one| (one.verdict, one.culprit.as_deref())).collect()
}

#[test]
fn one_search_finds_several_culprits() {
    let tests: Vec<Manner> = [9, 9, 20, 9, 20, 9].map(Manner::Breaks).into();
    let report = triage(&world(&tests), config(6));
    assert_eq!(report.status, Status::Found);
    let found: Vec<(&str, usize)> = report.culprits.iter().map(|one| (&one.commit[..], one.tests.len())).collect();
    assert_eq!(found, [("r9", 4), ("r20", 2)]);
    let first = &report.culprits[0];
    assert_eq!((&first.parents[..], first.evidence.failing, first.evidence.passing), (&["r8".to_owned()][..], 4, 4));
    assert!(first.probability >= 0.9 && first.fingerprint.len() == 32 && first.parents_pass);
    assert!(report.builds < 14 && report.builds < report.separate_estimate.builds, "{}", report.builds);
    assert_eq!(report.message, "6 tests broken by 2 commits");
}

#[test]
fn signatures_let_followers_wait_for_their_leader() {
    let tests = vec![Manner::Breaks(9); 20];
    let mut signed = config(20);
    signed.tonight = (0..20)
        .map(|test| (World::id(test), TestResult { signature: Some("same".into()), ..Outcome::Fail.into() }))
        .collect();
    let report = triage(&world(&tests), signed);
    assert_eq!(report.culprits[0].signature.as_deref(), Some("same"));
    let leaders: Vec<Option<&str>> = report.tests.iter().map(|one| one.leader.as_deref()).collect();
    assert_eq!(leaders.iter().filter(|leader| leader.is_none()).count(), 1);
    assert!(report.test_runs < triage(&world(&tests), config(20)).test_runs, "{}", report.test_runs);
}

#[test]
fn flaky_tests_and_broken_environments_have_no_culprit() {
    let tests = [Manner::Flaky(0), Manner::Always(Outcome::Fail), Manner::Always(Outcome::Fail)];
    let mut given = config(3);
    given.last = [0, 1].map(|test| (World::id(test), Outcome::Pass.into())).into();
    let report = triage(&world(&tests), given);
    let expected = [(Verdict::Flaky, None), (Verdict::Environment, None), (Verdict::FailedBefore, None)];
    assert_eq!(verdicts(&report), expected);
    let passes = report.tests[0].runs;
    let note =
        format!("failed before this search, passed in all {passes} runs; it may depend on the order of the tests");
    assert_eq!(report.tests[0].note, Some(note));
    assert_eq!(report.tests[1].note.as_deref(), Some("fails at r0 on this machine"));
}

#[test]
fn the_reports_of_two_nights_need_no_runs() {
    let mut given = config(4);
    let last = |id: &str, outcome: Outcome| (id.to_owned(), TestResult::from(outcome));
    given.quarantine = vec![World::id(0)];
    given.last = [
        last(&World::id(1), Outcome::Fail),
        last(&World::id(2), Outcome::Fail),
        last("gone", Outcome::Pass),
        last("mended", Outcome::Fail),
        last("green", Outcome::Pass),
    ]
    .into();
    given.tonight = [
        last(&World::id(0), Outcome::Fail),
        last(&World::id(1), Outcome::Fail),
        last(&World::id(2), Outcome::Pass),
        last(&World::id(3), Outcome::Fail),
        last("mended", Outcome::Pass),
        last("green", Outcome::Pass),
    ]
    .into();
    given.tests.pop();
    let report = triage(&world(&[Manner::Wild; 4]), given);
    let ids: Vec<(&str, Verdict)> = report.tests.iter().map(|one| (&one.id[..], one.verdict)).collect();
    assert_eq!(
        ids,
        [
            ("suite::t0", Verdict::Quarantined),
            ("suite::t1", Verdict::FailedBefore),
            ("suite::t2", Verdict::Fixed),
            ("gone", Verdict::Removed),
            ("mended", Verdict::Fixed),
        ]
    );
    assert_eq!((report.runs, report.status), (0, Status::Found));
}

/// Tells results of a test that exists only from some revision on.
fn new_test(added: usize, broken: usize) -> TriageReport {
    let mut given = config(2);
    given.last = [(World::id(0), Outcome::Pass.into())].into();
    let mut search = TriageSearch::new(line(32), given).unwrap();
    while !search.is_done() {
        let probe = search.ask(1).unwrap().remove(0);
        let place: usize = probe.revision()[1..].parse().unwrap();
        let outcome = |from: usize| if place < from { Outcome::Pass } else { Outcome::Fail };
        let tests = probe.target.tests.unwrap();
        let all = [(0, Some(outcome(4))), (1, (place >= added).then(|| outcome(broken)))];
        let results = all.into_iter().filter(|(test, _)| tests.contains(*test));
        let results = results.filter_map(|(test, outcome)| Some((World::id(test), outcome?.into())));
        let seen = Observation { stage: Some(Stage::Test), ..Observation::of_results(results) };
        search.tell(probe.id, seen).unwrap();
    }
    search.report()
}

#[test]
fn a_new_test_is_searched_from_the_commit_that_added_it() {
    let never = new_test(12, 12);
    assert_eq!(verdicts(&never), [(Verdict::Broken, Some("r4")), (Verdict::New, Some("r12"))]);
    assert_eq!(never.tests[1].note.as_deref(), Some("added after the good revision, never passed"));
    assert!(!never.culprits.iter().find(|one| one.commit == "r12").unwrap().parents_pass);
    let later = new_test(12, 20);
    assert_eq!(verdicts(&later)[1], (Verdict::New, Some("r20")));
    assert_eq!(later.tests[1].note.as_deref(), Some("added after the good revision"));
}

#[test]
fn unbuildable_neighbours_of_the_culprit_are_candidates() {
    let world = World { unbuildable: vec![8, 9], ..world(&[Manner::Breaks(9), Manner::Breaks(20)]) };
    let report = triage(&world, config(2));
    assert_eq!(verdicts(&report), [(Verdict::BrokenIn, None), (Verdict::Broken, Some("r20"))]);
    assert_eq!(report.tests[0].candidates, ["r8", "r9", "r10"]);
    assert_eq!(report.status, Status::Ambiguous);
}

#[test]
fn a_broken_build_is_the_only_subject() {
    let world = World { unbuildable: (17..32).collect(), ..world(&[Manner::Breaks(9), Manner::Wild]) };
    let report = triage(&world, config(2));
    let all = [(Verdict::Broken, Some("r17")), (Verdict::Undecided, None), (Verdict::Undecided, None)];
    assert_eq!(verdicts(&report), all);
    assert_eq!((&report.tests[0].id[..], report.status), ("(build)", Status::Untestable));
    assert_eq!(report.tests[1].note.as_deref(), Some("not searched: r31 cannot be built"));
    assert_eq!(report.message, "r31 cannot be built: r17 broke the build");
    assert!(report.runs < 12, "{}", report.runs);
}

#[test]
fn a_test_without_results_is_a_failure_of_the_machine() {
    let report = triage(&world(&[Manner::Always(Outcome::Unresolved), Manner::Breaks(9)]), config(2));
    assert_eq!(verdicts(&report), [(Verdict::Infra, None), (Verdict::Broken, Some("r9"))]);
    let at_bad = report.tests[0].observations.iter().find(|runs| runs.revision == "r31").unwrap();
    assert_eq!((at_bad.passes, at_bad.fails, at_bad.unresolved), (0, 0, 3));
}

#[test]
fn the_newest_break_of_an_intermittent_test_is_the_culprit() {
    let mut search = TriageSearch::new(line(32), config(1)).unwrap();
    for (revision, outcome) in [("r5", Outcome::Fail), ("r12", Outcome::Pass), ("r12", Outcome::Pass)] {
        search.observe(&revision.into(), outcome.into()).unwrap();
    }
    while !search.is_done() {
        let probe = search.ask(1).unwrap().remove(0);
        let place: usize = probe.revision()[1..].parse().unwrap();
        let fails = (3..9).contains(&place) || place >= 22;
        search.tell(probe.id, if fails { Outcome::Fail } else { Outcome::Pass }.into()).unwrap();
    }
    let report = search.report();
    assert_eq!(verdicts(&report), [(Verdict::Intermittent, Some("r22"))]);
    assert_eq!(report.tests[0].note.as_deref(), Some("failed before, at r5"));
}

#[test]
fn the_same_commit_at_both_ends_is_flaky_or_the_environment() {
    let given = || {
        let mut given = TriageConfig::new("r31", [World::id(0)]).good(["r31"]);
        given.last = [(World::id(0), Outcome::Pass.into())].into();
        given
    };
    let environment = triage(&world(&[Manner::Always(Outcome::Fail)]), given());
    assert_eq!(verdicts(&environment), [(Verdict::Environment, None)]);
    let flaky = triage(&world(&[Manner::Always(Outcome::Pass)]), given());
    assert_eq!((verdicts(&flaky), flaky.status), (vec![(Verdict::Flaky, None)], Status::NotReproduced));
}

#[test]
fn more_tests_than_allowed_are_listed() {
    let mut given = config(5);
    given.max_tests = 2;
    let red = |signature: &str| TestResult { signature: Some(signature.into()), ..Outcome::Fail.into() };
    given.tonight =
        ["x", "x", "y", "x", "y"].iter().enumerate().map(|(test, one)| (World::id(test), red(one))).collect();
    let report = triage(&world(&[Manner::Breaks(9); 5]), given);
    let searched: Vec<bool> = report.tests.iter().map(|one| one.verdict == Verdict::Broken).collect();
    assert_eq!(searched, [true, false, true, false, false]);
    assert_eq!(report.tests[1].note.as_deref(), Some("not searched: at most 2 tests are searched"));
}

#[test]
fn a_merge_needs_a_pass_at_every_parent() {
    let edges = [("good", vec![]), ("a", vec!["good"]), ("b", vec!["good"]), ("m", vec!["a", "b"]), ("bad", vec!["m"])];
    let graph = Arc::new(CommitGraph::new(edges).unwrap());
    let mut search = TriageSearch::new(graph, TriageConfig::new("bad", ["t"]).good(["good"])).unwrap();
    while !search.is_done() {
        let probe = search.ask(1).unwrap().remove(0);
        let fails = ["m", "bad"].contains(&probe.revision());
        search.tell(probe.id, if fails { Outcome::Fail } else { Outcome::Pass }.into()).unwrap();
    }
    let report = search.report();
    assert_eq!(verdicts(&report), [(Verdict::Broken, Some("m"))]);
    let passed = |id: &str| report.tests[0].observations.iter().any(|one| one.revision == id && one.passes > 0);
    assert!(passed("a") && passed("b"));
}

#[test]
fn a_budget_of_builds_stops_the_search() {
    let mut search = TriageSearch::new(line(32), config(1)).unwrap();
    search.set_budget(Budget { builds: Some(3), ..Budget::default() }).unwrap();
    let mut runs = 0;
    while let Some(probe) = search.ask(1).unwrap().pop() {
        runs += 1;
        search.tell(probe.id, Outcome::Fail.into()).unwrap();
    }
    assert_eq!((runs, search.report().status), (3, Status::Budget));
    search.set_budget(Budget { builds: Some(4), ..Budget::default() }).unwrap();
    assert_eq!(search.ask(2).unwrap().len(), 1);
}

#[test]
fn every_probe_has_a_reason() {
    let mut search = TriageSearch::new(line(32), config(2)).unwrap();
    while !search.is_done() {
        let probe = search.ask(1).unwrap().remove(0);
        let place: usize = probe.revision()[1..].parse().unwrap();
        search.tell(probe.id, if place < 9 { Outcome::Pass } else { Outcome::Fail }.into()).unwrap();
    }
    let explained = explain(&search).unwrap();
    let reasons: Vec<&str> = explained.iter().map(|one| one.reason.as_deref().unwrap()).collect();
    assert_eq!(reasons[..2], ["2 tests failed there before", "1 test must pass at the good revision"]);
    assert!(reasons.contains(&"the suspects of 2 tests halve here"), "{reasons:?}");
}

/// Returns an observation of these tests.
fn seen(results: &[(&str, Outcome)]) -> Observation {
    Observation::of_results(results.iter().map(|(id, outcome)| ((*id).to_owned(), (*outcome).into())))
}

#[test]
fn unknown_tests_are_dropped_and_known_ones_count_without_being_asked() {
    let mut search = TriageSearch::new(line(32), config(2)).unwrap();
    let (first, second) = (World::id(0), World::id(1));
    let bad = search.ask(1).unwrap().remove(0);
    let told = [(&first[..], Outcome::Fail), (&second[..], Outcome::Fail), ("another", Outcome::Pass)];
    search.tell(bad.id, seen(&told)).unwrap();
    let good = search.ask(1).unwrap().remove(0);
    assert_eq!(search.inspect().tests(&good.target), Some(vec![first.clone()]));
    search.tell(good.id, seen(&[("another", Outcome::Fail), (&second, Outcome::Pass)])).unwrap();
    let report = search.report();
    let kept: Vec<usize> = report.observations.iter().map(|one| one.observation.results.len()).collect();
    assert_eq!((kept, report.observations[1].observation.outcome), (vec![2, 1], Outcome::Pass));
    let runs = |test: usize| report.tests[test].observations.iter().map(|one| (one.passes, one.unresolved)).collect();
    let (of_first, of_second): (Vec<_>, Vec<_>) = (runs(0), runs(1));
    assert_eq!((of_first, of_second), (vec![(0, 1), (0, 0)], vec![(1, 0), (0, 0)]));
    // Without any known result, the tests of the probe have none. The revision was built.
    let next = search.ask(1).unwrap().remove(0);
    search.tell(next.id, seen(&[("another", Outcome::Fail)])).unwrap();
    let last = &search.report().observations[2].observation;
    assert_eq!((last.outcome, last.stage, last.results.len()), (Outcome::Unresolved, Some(Stage::Test), 0));
}

/// Runs a whole suite of four tests at both endpoints, with these results at the bad revision.
fn whole(search: &mut TriageSearch, at_bad: [Outcome; 4]) -> Vec<Probe> {
    let probes = search.ask(8).unwrap();
    let ends: Vec<(&str, bool)> = probes.iter().map(|probe| (probe.revision(), probe.target.tests.is_none())).collect();
    assert_eq!(ends, [("r31", true), ("r0", true)]);
    let all = |outcomes: [Outcome; 4]| seen(&[0, 1, 2, 3].map(|test| (["a", "b", "c", "d"][test], outcomes[test])));
    // The order of the reports does not matter.
    search.tell(probes[1].id, all([Outcome::Pass, Outcome::Pass, Outcome::Fail, Outcome::Pass])).unwrap();
    search.tell(probes[0].id, all(at_bad)).unwrap();
    probes
}

#[test]
fn without_tests_and_reports_the_suite_runs_at_both_ends() {
    let mut search = TriageSearch::new(line(32), TriageConfig::new("r31", [""; 0]).good(["r0"])).unwrap();
    let bad: Target = "r31".into();
    assert_eq!(search.inspect().tests(&bad), None);
    assert_eq!(search.inspect().reason(&bad).as_deref(), Some("the failing tests are not known yet"));
    whole(&mut search, [Outcome::Fail, Outcome::Fail, Outcome::Fail, Outcome::Pass]);
    while !search.is_done() {
        let probe = search.ask(1).unwrap().remove(0);
        let place: usize = probe.revision()[1..].parse().unwrap();
        let outcome = |from: usize| if place < from { Outcome::Pass } else { Outcome::Fail };
        search.tell(probe.id, seen(&[("a", outcome(9)), ("b", outcome(20))])).unwrap();
    }
    let expected = [(Verdict::Broken, Some("r9")), (Verdict::Broken, Some("r20")), (Verdict::FailedBefore, None)];
    assert_eq!(verdicts(&search.report()), expected);
}

#[test]
fn a_suite_that_passes_or_has_no_results_ends_the_search() {
    let open = || TriageSearch::new(line(32), TriageConfig::new("r31", [""; 0]).good(["r0"])).unwrap();
    let mut search = open();
    let bad = search.ask(1).unwrap().remove(0);
    search.tell(bad.id, seen(&[("a", Outcome::Pass)])).unwrap();
    let report = search.report();
    assert_eq!((report.status, &report.message[..]), (Status::NotReproduced, "no test fails at r31"));
    let mut search = open();
    for _ in 0..3 {
        let bad = search.ask(1).unwrap().remove(0);
        search.tell(bad.id, Outcome::Fail.into()).unwrap();
    }
    let report = search.report();
    assert_eq!((report.status, &report.message[..]), (Status::Untestable, "no test has a result at r31"));
    let mut search = open();
    let bad = search.ask(1).unwrap().remove(0);
    let unbuilt = Observation { stage: Some(Stage::Build), ..Outcome::Fail.into() };
    search.tell(bad.id, unbuilt).unwrap();
    assert_eq!(search.report().tests[0].id, "(build)");
}

#[test]
fn a_corrected_report_replaces_the_tests_and_keeps_their_indices() {
    let mut search = TriageSearch::new(line(32), TriageConfig::new("r31", [""; 0]).good(["r0"])).unwrap();
    let [bad, _] = &whole(&mut search, [Outcome::Fail, Outcome::Fail, Outcome::Pass, Outcome::Pass])[..] else {
        panic!()
    };
    let late = search.ask(1).unwrap().remove(0);
    search.undo(1).unwrap();
    assert!(search.report().tests.is_empty());
    let corrected = [("a", Outcome::Pass), ("b", Outcome::Fail), ("c", Outcome::Pass), ("d", Outcome::Fail)];
    search.tell(bad.id, seen(&corrected)).unwrap();
    search.tell(late.id, Outcome::Fail.into()).unwrap();
    let report = search.report();
    let runs: Vec<(&str, u64)> = report.tests.iter().map(|one| (&one.id[..], one.runs)).collect();
    assert_eq!(runs, [("b", 1), ("d", 0), ("c", 0)]);
    let snapshot = search.inspect().snapshot().unwrap();
    let mut again = TriageSearch::restore(line(32), &snapshot).unwrap();
    assert_eq!((again.report(), again.ask(4).unwrap()), (report, search.ask(4).unwrap()));
}

#[test]
fn invalid_options_and_results_are_named() {
    let refused = |given: TriageConfig| TriageSearch::new(line(32), given).map(drop).unwrap_err().to_string();
    assert!(refused(TriageConfig { bad: vec![], ..config(1) }).starts_with("bad: "));
    assert!(refused(config(1).good(["r40"])).contains("r40"));
    assert!(refused(TriageConfig { tests: vec!["a".into(), "a".into()], ..config(1) }).starts_with("tests: "));
    assert!(refused(TriageConfig { batch: Some(0), ..config(1) }).starts_with("batch: "));
    let wrong = TestResult { seconds: Some(-1.0), ..Outcome::Fail.into() };
    assert!(
        refused(TriageConfig { tonight: [("a".to_owned(), wrong)].into(), ..config(1) }).starts_with("tonight[\"a\"]")
    );
    let mut search = TriageSearch::new(line(32), config(1)).unwrap();
    let probe = search.ask(1).unwrap().remove(0);
    let beyond = Target { tests: Some([7].into_iter().collect()), ..Target::from("r3") };
    assert!(search.observe(&beyond, Outcome::Pass.into()).unwrap_err().to_string().starts_with("tests: "));
    assert!(search.tell(probe.id, Outcome::Fail.into()).is_ok());
}

#[test]
fn a_test_that_passes_at_the_bad_revision_has_no_culprit() {
    let mut search = TriageSearch::new(line(32), config(1)).unwrap();
    let mut at_bad = 0;
    while let Some(probe) = search.ask(1).unwrap().pop() {
        let place: usize = probe.revision()[1..].parse().unwrap();
        at_bad += usize::from(place == 31);
        let outcome = if (9..25).contains(&place) { Outcome::Fail } else { Outcome::Pass };
        search.tell(probe.id, outcome.into()).unwrap();
    }
    assert_eq!(verdicts(&search.report()), [(Verdict::Flaky, None)]);
    assert!(at_bad >= 2, "{at_bad}");
}
