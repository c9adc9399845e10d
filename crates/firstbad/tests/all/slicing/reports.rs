//! Reports at the end and during a search.

use firstbad::reduction::Guarantee;
use firstbad::slicing::{SliceMethod, SliceSize};
use firstbad::{Budget, ChangeSet, Observation, Outcome, Search, Slicer, SlicerConfig, Status};
use firstbad_testkit::simulated::Random;
use serde_json::json;

use super::drive::driven;

fn sliced(config: SlicerConfig, oracle: &mut dyn FnMut(&ChangeSet) -> Observation) -> firstbad::SlicerReport {
    driven(4, config, 1, &mut Random::new(1), oracle).search.report()
}

fn passes(set: &ChangeSet, needed: &[usize]) -> Observation {
    let holds = needed.iter().all(|&change| set.contains(change));
    if holds { Outcome::Pass.into() } else { Outcome::Fail.into() }
}

fn named() -> SlicerConfig {
    SlicerConfig::default().changes(["a1", "b2", "c3", "d4"])
}

#[test]
fn a_base_with_the_behavior_takes_two_runs() {
    let report = sliced(named(), &mut |_| Outcome::Pass.into());
    assert_eq!((report.status, report.guarantee, report.runs), (Status::Found, Guarantee::OneMinimal, 2));
    assert!(report.kept.is_empty());
    assert_eq!(report.message, "no change is needed, because the test passes at the base");
}

#[test]
fn messages_use_the_singular_for_one_change() {
    let report = sliced(named(), &mut |set| passes(set, &[2]));
    assert_eq!(report.message, "with 1 of 4 changes the test passes. It is needed");
    let only = driven(1, SlicerConfig::default(), 1, &mut Random::new(1), &mut |set| passes(set, &[0]));
    assert_eq!(only.search.report().message, "the one change is a slice with which the test passes. It is needed");
    let two = sliced(named(), &mut |set| passes(set, &[1, 2]));
    let message =
        "with 2 of 4 changes the test passes. Each of them is needed, alone and with the changes that depend on it";
    assert_eq!(two.message, message);
    let unproven = SlicerConfig { guarantee: Guarantee::Fixpoint, ..named() };
    let two = sliced(unproven, &mut |set| passes(set, &[1, 2]));
    let message = "with 2 of 4 changes the test passes. Each of them is needed, if more changes never hide the pass";
    assert_eq!(two.message, message);
}

#[test]
fn no_slice_if_all_changes_lack_the_behavior() {
    let failed = sliced(named(), &mut |_| Outcome::Fail.into());
    assert_eq!((failed.status, failed.runs), (Status::NotReproduced, 1));
    assert_eq!(failed.message, "the test does not pass with all 4 changes, so there is nothing to slice");
    let broken = sliced(named(), &mut |_| Outcome::Unresolved.into());
    assert_eq!((broken.status, broken.kept.len()), (Status::Untestable, 0));
}

#[test]
fn a_start_is_tested_once_and_dropped_if_it_does_not_hold() {
    let report = sliced(named().start([1, 2]), &mut |set| passes(set, &[1]));
    assert_eq!((report.names, report.warnings.len()), (vec!["b2".to_owned()], 0));
    let report = sliced(named().start([2]), &mut |set| passes(set, &[1]));
    assert_eq!(report.names, ["b2"]);
    assert_eq!(
        report.warnings,
        [
            "the start was dropped: with its 1 changes and their assumed dependencies, the test did not have the kept outcome"
        ]
    );
    let alone = named().algorithm(SliceMethod::Coverage);
    let report = sliced(alone.clone().start([1, 2]), &mut |set| passes(set, &[1]));
    assert_eq!((report.kept, report.guarantee, report.runs), (vec![1, 2], Guarantee::BestSoFar, 3));
    let report = sliced(alone.start([2]), &mut |set| passes(set, &[1]));
    assert_eq!((report.kept.len(), report.guarantee), (4, Guarantee::BestSoFar));
}

#[test]
fn a_failure_can_be_kept() {
    let config = SlicerConfig { keep: Outcome::Fail, ..named() };
    let report = sliced(config, &mut |set| {
        let both = set.contains(0) && set.contains(3);
        if both { Outcome::Fail.into() } else { Outcome::Pass.into() }
    });
    assert_eq!(report.kept, [0, 3]);
    assert!(report.message.starts_with("with 2 of 4 changes the test fails"), "{}", report.message);
}

/// Change 3 depends on change 1. Without 1, change 3 conflicts, which takes no run.
fn conflicting(set: &ChangeSet) -> Observation {
    if set.contains(3) && !set.contains(1) {
        let signals = Some(json!({ "conflict": 3 }));
        return Observation { ran: false, signals, ..Outcome::Unresolved.into() };
    }
    passes(set, &[1, 3])
}

#[test]
fn a_report_shows_the_evidence_and_the_sizes() {
    let report = sliced(named(), &mut conflicting);
    assert_eq!(report.names, ["b2", "d4"]);
    assert!(report.asked > report.runs);
    let evidence = |change| report.evidence(change, str::to_owned).expect("needed");
    assert!(evidence(1).starts_with("without it and d4 the test fails (run "), "{}", evidence(1));
    assert!(evidence(3).starts_with("without it the test fails (run "), "{}", evidence(3));
    assert_eq!(report.sizes.first(), Some(&SliceSize { run: 1, changes: 4 }));
    assert!(report.sizes.windows(2).all(|pair| pair[0].changes > pair[1].changes && pair[0].run < pair[1].run));
}

#[test]
fn conflicts_do_not_use_the_budget() {
    let mut search = Slicer::new(4usize, named()).expect("four changes");
    search.set_budget(Budget { runs: Some(3), ..Budget::default() }).expect("a budget");
    while !search.is_done() {
        for probe in search.ask(1).expect("1") {
            let seen = conflicting(probe.changes().expect("changes"));
            search.tell(probe.id, seen).expect("an answer");
        }
    }
    let report = search.report();
    assert_eq!((report.status, report.runs, report.guarantee), (Status::Budget, 3, Guarantee::BestSoFar));
    assert!(report.message.ends_with(", so far"), "{}", report.message);
}

/// Each change depends on the previous one and is needed.
fn chained(count: usize, method: SliceMethod) -> firstbad::SlicerReport {
    let oracle = |set: &ChangeSet| {
        let conflict = set.iter().find(|&change| change > 0 && !set.contains(change - 1));
        match conflict {
            Some(change) => {
                Observation { ran: false, signals: Some(json!({ "conflict": change })), ..Outcome::Unresolved.into() }
            }
            None => passes(set, &[count - 1]),
        }
    };
    let config = SlicerConfig { algorithm: method, ..SlicerConfig::default() };
    let mut search = Slicer::new(count, config).expect("a configuration");
    while !search.is_done() {
        for probe in search.ask(1).expect("1") {
            let seen = oracle(probe.changes().expect("changes"));
            search.tell(probe.id, seen).expect("an answer");
        }
    }
    search.report()
}

#[test]
fn a_conflict_reveals_a_dependency() {
    for method in [SliceMethod::Auto, SliceMethod::Recursive] {
        let report = chained(24, method);
        assert_eq!((report.kept.len(), report.why.len()), (24, 24));
        // Each change alone, which conflicts, and then with all known dependents.
        let most = if method == SliceMethod::Auto { 2 * 24 + 2 } else { 3 * 24 };
        assert!(report.asked <= most, "{method:?}: {}", report.asked);
        assert!(report.why.iter().all(|why| why.unbuilt.len() <= 1 && why.ran), "{:?}", report.why);
    }
}
