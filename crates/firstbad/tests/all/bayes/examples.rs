//! Searches with a flaky test on small histories and at wrong rates.

use super::*;

#[test]
fn wrong_rates_seldom_name_an_innocent_commit() {
    for (said, flake, false_pass) in [(0.0, 0.3, 0.1), (0.05, 0.3, 0.0), (0.01, 0.5, 0.0), (0.01, 0.0, 0.1)] {
        let mut all = Score::default();
        for culprits in [0, 1, 2] {
            let score = simulate(40, (flake, false_pass), (Rate::Known(said), None), culprits, 1);
            all.leaves += score.leaves;
            all.right += score.right;
            all.wrongly_named += score.wrongly_named;
            all.runs += score.runs;
        }
        let about = format!("said {said}, is {flake} and {false_pass}: {all:?}");
        assert!(all.wrongly_named as f64 <= 0.02 * all.leaves as f64, "{about}");
        // A hopeless search does not continue forever.
        let most = if flake > 0.4 { 70 } else { 35 };
        assert!(all.runs <= most * all.leaves as u64, "{about}");
        // A search does not give up only because the given rate is too low.
        let least = if flake > 0.4 { 0.8 } else { 0.9 };
        assert!(all.right as f64 >= least * all.leaves as f64, "{about}");
    }
}

#[test]
fn a_root_that_passed_and_failed_at_rate_0_ends() {
    // The outcomes contradict the rate, but a pass counts as a pass.
    let pairs = [("a", vec![]), ("x", vec![]), ("y", vec!["x"]), ("z", vec!["a"])];
    let graph = Arc::new(firstbad::CommitGraph::new(pairs).expect("a graph"));
    let mut config = RegressionConfig::new(["z", "y"]).good(["a"]).search(SearchKind::Bayes);
    config.flake_rate = Some(Rate::Known(0.0));
    let mut search = RegressionSearch::new(graph, config).expect("valid ends");
    let end = drive(&mut search, 1, 100, &mut Random(1), |id| match id {
        "x" => Observation::counted(1, 1),
        _ => Outcome::Fail.into(),
    });
    assert_eq!(end, Ok(()), "{}", search.report().message);
}

#[test]
fn a_failure_that_does_not_recur_is_a_flake() {
    let graph = Arc::new(firstbad::CommitGraph::linear(["0", "1", "2", "3"]).expect("a graph"));
    let message = |bad: &[&str], fails: &str| {
        let config = RegressionConfig::new(bad.iter().copied()).good(["0"]).search(SearchKind::Bayes);
        let mut search = RegressionSearch::new(Arc::clone(&graph), config).expect("valid ends");
        let mut failed = false;
        let end = drive(&mut search, 1, 100, &mut Random(1), |id| match !failed && id == fails {
            true => {
                failed = true;
                Outcome::Fail.into()
            }
            false => Outcome::Pass.into(),
        });
        assert_eq!(end, Ok(()));
        search.report().message
    };
    assert_eq!(message(&["3"], "3"), "no culprit: the failure at 3 was probably a flake");
    let both = message(&["3", "2"], "3");
    assert_eq!(both, "no culprit: the failure at 3 was probably a flake. Not reproduced at 2");
    assert_eq!(message(&["3"], ""), "not reproduced at 3. Every run passed, so check the test first");
}

#[test]
fn passes_exclude_suspects_and_failures_do_not() {
    let graph = Arc::new(firstbad::CommitGraph::linear((0..20).map(|number| number.to_string())).expect("a graph"));
    let said = |false_passes: f64, told: &[(&str, Outcome)]| {
        let mut config = RegressionConfig::new(["19"]).good(["3"]).search(SearchKind::Bayes);
        (config.flake_rate, config.false_pass_rate) = (Some(Rate::Known(0.1)), Some(Rate::Known(false_passes)));
        let mut search = RegressionSearch::new(Arc::clone(&graph), config).expect("valid ends");
        for &(revision, outcome) in told {
            let probes = search.ask(1).expect("k above 0");
            if probes.first().is_some_and(|probe| probe.revision() == revision) {
                search.tell(probes[0].id, outcome.into()).expect("in flight");
            } else {
                search.observe(&revision.into(), outcome.into()).expect("a revision");
            }
        }
        let explained = firstbad::explain(&search).expect("told before");
        let left: Vec<Option<usize>> = explained.iter().map(|one| one.suspects_after).collect();
        (left, explained.last().map(|one| one.message.clone()))
    };
    let told = [
        ("19", Outcome::Fail),
        ("3", Outcome::Pass),
        ("12", Outcome::Fail),
        ("12", Outcome::Fail),
        ("8", Outcome::Pass),
    ];
    let (left, message) = said(0.0, &told);
    assert_eq!(left, [16, 16, 16, 16, 11].map(Some), "4 to 19, then 9 to 19");
    assert!(message.expect("five answers").ends_with("It ruled out 5 suspects, and 11 are left"));
    let (left, message) = said(0.05, &told);
    assert_eq!(left, [Some(16); 5], "a pass may be a false one");
    assert!(message.expect("five answers").ends_with("It ruled out no suspect, and 16 are left"));
}

#[test]
fn the_missing_runs_of_a_culprit_are_run_in_parallel() {
    let graph = Arc::new(firstbad::CommitGraph::linear((0..20).map(|number| number.to_string())).expect("a graph"));
    let mut config = RegressionConfig::new(["19"]).good(["3"]).search(SearchKind::Bayes);
    (config.flake_rate, config.false_pass_rate) = (Some(Rate::Known(0.3)), Some(Rate::Known(0.0)));
    let mut search = RegressionSearch::new(graph, config).expect("valid ends");
    for revision in ["3", "11"] {
        search.observe(&revision.into(), Outcome::Pass.into()).expect("a revision");
    }
    for revision in ["19", "12", "12", "12", "12", "12", "12"] {
        search.observe(&revision.into(), Outcome::Fail.into()).expect("a revision");
    }
    assert_eq!(search.status(), Status::Running, "few runs for a rate of .3");
    let mut alone = search.fresh().expect("opened before");
    alone.apply_all(&mut search.inspect().events(0).iter()).expect("its own events");
    let mut runs = Vec::new();
    while !alone.is_done() {
        let probe = alone.ask(1).expect("k above 0").remove(0);
        let outcome = if probe.revision() == "12" { Outcome::Fail } else { Outcome::Pass };
        runs.push(probe.revision().to_owned());
        alone.tell(probe.id, outcome.into()).expect("in flight");
    }
    assert!(runs.len() > 2 && runs.iter().all(|run| run == "11" || run == "12"), "{runs:?}");
    let beside: Vec<String> = search.ask(8).expect("8").iter().map(|probe| probe.revision().to_owned()).collect();
    assert_eq!(beside, runs, "all of them at once, and nothing else");
    assert!(search.ask(8).expect("8").is_empty());
}

#[test]
fn parallel_runs_include_the_one_that_distinguishes_two_suspects() {
    // b is unresolved, and its descendant c fails. Only e, which merges b into another line, tells the two apart.
    let parents = [("a", ""), ("b", "a"), ("c", "b"), ("d", "a"), ("e", "d b"), ("m", "c e"), ("n", "m"), ("t", "n")];
    let parents = parents.map(|(id, of)| (id.to_owned(), of.split_whitespace().map(str::to_owned).collect::<Vec<_>>()));
    let graph = Arc::new(firstbad::CommitGraph::new(parents).expect("a graph"));
    let mut config = RegressionConfig::new(["t"]).good(["a"]).search(SearchKind::Bayes);
    (config.flake_rate, config.false_pass_rate) = (Some(Rate::Known(0.1)), Some(Rate::Known(0.0)));
    for jobs in [1, 2, 3, 8] {
        let mut search = RegressionSearch::new(Arc::clone(&graph), config.clone()).expect("valid ends");
        let seen = [("a", Outcome::Pass), ("d", Outcome::Pass), ("b", Outcome::Unresolved), ("t", Outcome::Fail)];
        for (revision, outcome) in seen.into_iter().chain([("c", Outcome::Fail); 4]) {
            search.observe(&revision.into(), outcome.into()).expect("a revision");
        }
        let asked: Vec<String> =
            search.ask(jobs).expect("k above 0").iter().map(|probe| probe.revision().to_owned()).collect();
        assert!(asked.contains(&"e".to_owned()), "{jobs} jobs: {asked:?}");
    }
}
