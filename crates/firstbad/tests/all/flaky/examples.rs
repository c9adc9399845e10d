//! Culprit searches on small histories.

use super::*;

#[test]
fn suspects_far_lighter_than_others_are_not_lost() {
    // After a pass of the heavy suspect, only the light one is left.
    let graph = Arc::new(firstbad::CommitGraph::linear(["good", "heavy", "light"]).expect("a list"));
    for light in [1e-6, 1e-12, 1e-15, 1e-18] {
        let config = CulpritConfig {
            prior: Some([("heavy".to_owned(), 1.0), ("light".to_owned(), light)].into_iter().collect()),
            prior_no_culprit: Some(NoCulprit::Probability(0.0)),
            verify: false,
            ..CulpritConfig::new("light", Rate::Known(0.1))
        };
        let mut search = CulpritSearch::new(Arc::clone(&graph), config).expect("weights above 0");
        search.observe(&"heavy".into(), Outcome::Pass.into()).expect("an outcome");
        let left = search.inspect().posterior().and_then(|posterior| posterior.get("light")).expect("a suspect");
        assert!((left - 1.0).abs() < 1e-9, "{light}: {left}, {:?}", search.status());
    }
}

#[test]
fn bisection_sees_every_failing_branch() {
    let parents =
        [("r0", vec![]), ("r1", vec!["r0"]), ("r2", vec!["r1"]), ("r3", vec!["r1"]), ("r4", vec!["r2", "r3"])];
    let graph = Arc::new(firstbad::CommitGraph::new(parents).expect("parents come first"));
    let config = CulpritConfig::new("r4", Rate::Known(0.0)).strategy(CulpritStrategy::Bisect);
    let mut search = CulpritSearch::new(graph, config).expect("a configuration");
    while !search.is_done() {
        let probes = search.ask(1).expect("k above 0");
        assert!(!probes.is_empty(), "asks nothing, nothing in flight, not done: {:?}", search.report());
        let outcome = match probes[0].revision() {
            "r0" => Outcome::Pass,
            "r1" => Outcome::Unresolved,
            _ => Outcome::Fail,
        };
        search.tell(probes[0].id, outcome.into()).expect("a first answer");
    }
    // The failing branches have it in common. It is not reported, because its failure was not observed.
    let report = search.report();
    assert_eq!((report.culprit, report.reason), (None, Reason::Unproven));
    assert_eq!(report.credible_set[0].revision.as_deref(), Some("r1"));
    let missing: Vec<_> = report.missing.iter().map(|run| (run.revision.as_str(), run.outcome)).collect();
    assert_eq!(missing, [("r1", Outcome::Fail)]);
}

fn line<const N: usize>(names: [&str; N], config: CulpritConfig) -> CulpritSearch {
    CulpritSearch::new(Arc::new(firstbad::CommitGraph::linear(names).expect("a list")), config)
        .expect("a configuration")
}

#[test]
fn contradictory_evidence_leaves_the_last_belief() {
    let config = CulpritConfig::new("c", Rate::Known(0.0)).strategy(CulpritStrategy::Cdf).verify(false);
    let mut search = line(["good", "a", "b", "c"], config);
    search.observe(&"a".into(), Outcome::Fail.into()).expect("an outcome");
    search.observe(&"b".into(), Outcome::Pass.into()).expect("an outcome");
    assert_eq!(search.status(), Status::Contradictory);
    assert_eq!(search.report().observations.len(), 2);
}

#[test]
fn next_runs_does_not_repeat_a_revision_with_false_passes() {
    for choose in CHOICES {
        let rate = Rate::Known(0.2);
        let config =
            CulpritConfig { false_pass_rate: rate, ..CulpritConfig::new("c", Rate::Known(0.1)).strategy(choose) };
        let mut search = line(["good", "a", "b", "c"], config);
        while !search.is_done() {
            let probe = search.ask(1).expect("k above 0").remove(0);
            let outcome = if probe.revision() == "a" { Outcome::Pass } else { Outcome::Fail };
            search.tell(probe.id, outcome.into()).expect("a first answer");
            assert!(search.runs() < 30, "{choose:?} asks {} for the 30th time", probe.revision());
        }
        assert_eq!(search.report().culprit.as_deref(), Some("b"));
    }
}

#[test]
fn bisection_looks_ahead_to_an_end() {
    for length in 2..20 {
        let names: Vec<String> = (0..length).map(name).collect();
        let graph = Arc::new(firstbad::CommitGraph::linear(&names).expect("a list"));
        for culprit in 1..length {
            let config = CulpritConfig::new(name(length - 1), Rate::Known(0.0)).strategy(CulpritStrategy::Bisect);
            let mut search = CulpritSearch::new(Arc::clone(&graph), config).expect("a configuration");
            while !search.is_done() {
                for probe in search.ask(4).expect("k above 0") {
                    let outcome = if place(probe.revision()) < culprit { Outcome::Pass } else { Outcome::Fail };
                    search.tell(probe.id, outcome.into()).expect("a first answer");
                }
            }
            assert_eq!(search.report().culprit, Some(name(culprit)));
        }
    }
}

#[test]
fn the_failure_of_the_bad_revision_is_searched_for() {
    let graph = Arc::new(firstbad::CommitGraph::linear(["good", "a", "b", "c"]).expect("a list"));
    let failed = |signature: &str| Observation { signature: Some(signature.to_owned()), ..Outcome::Fail.into() };
    let posterior = |order: &[(&str, &str)]| {
        let mut search =
            CulpritSearch::new(Arc::clone(&graph), CulpritConfig::new("c", Rate::Known(0.1))).expect("a configuration");
        for (revision, signature) in order {
            search.observe(&(*revision).into(), failed(signature)).expect("an outcome");
        }
        let posterior = search.inspect().posterior().expect("a culprit search has one");
        ["a", "b", "c"].map(|revision| posterior.get(revision).expect("a suspect"))
    };
    let without = posterior(&[("c", "assertion")]);
    // A flake with another signature says nothing, whether reported before or after.
    assert_eq!(posterior(&[("a", "out of memory"), ("c", "assertion")]), without);
    assert_eq!(posterior(&[("c", "assertion"), ("a", "out of memory")]), without);
    assert_ne!(posterior(&[("c", "assertion"), ("a", "assertion")]), without);
}

/// A root is assumed to be good if no good revision is given.
#[test]
fn an_assumed_good_revision_that_fails_is_not_called_given() {
    let graph = Arc::new(firstbad::CommitGraph::linear((0..9).map(|node| node.to_string())).expect("a line"));
    for (good, words) in
        [(vec![], "0 was assumed to pass, but failed"), (vec!["2".to_owned()], "2 was given as good, but")]
    {
        let config = CulpritConfig { good, ..CulpritConfig::new("8", Rate::Known(0.1)) };
        let mut search = CulpritSearch::new(Arc::clone(&graph), config).expect("a search");
        while let Some(probe) = search.ask(1).expect("a probe").pop() {
            search.tell(probe.id, Outcome::Fail.into()).expect("an answer");
        }
        let report = search.report();
        assert_eq!(report.reason, Reason::GoodEndFails);
        assert!(report.message.contains(words), "{}", report.message);
    }
}

/// The message includes missing evidence.
#[test]
fn the_message_counts_unresolved_outcomes() {
    let message = |unresolved: usize| {
        let graph = CommitGraph::linear((0..8).map(|place| format!("r{place}"))).expect("a list");
        let config = CulpritConfig::new("r7", Rate::Known(0.1));
        let mut search = CulpritSearch::new(Arc::new(graph), config).expect("a search");
        for _ in 0..unresolved {
            let probe = search.ask(1).expect("a job").remove(0);
            search.tell(probe.id, Outcome::Unresolved.into()).expect("a first answer");
        }
        search.report().message
    };
    assert!(!message(0).contains("unresolved"), "{}", message(0));
    assert!(message(1).contains(". 1 run unresolved"), "{}", message(1));
    assert!(message(2).contains(". 2 runs unresolved"), "{}", message(2));
}
