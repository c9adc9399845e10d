//! Before a search names a culprit, it runs the culprit and its parents again, unless they already had suitable runs.

use std::sync::Arc;

use firstbad::regression::{LeafResult, RegressionReport, SearchKind};
use firstbad::{
    CommitGraph, Error, Find, Observation, Outcome, Probe, RegressionConfig, RegressionSearch, Search, Status,
};
use firstbad_testkit::simulated::{Random, Shape, history, monotonic};

use Outcome::{Fail, Pass};

fn line() -> CommitGraph {
    CommitGraph::linear((0..10).map(|number| format!("r{number}"))).unwrap()
}

fn search(config: RegressionConfig) -> RegressionSearch {
    RegressionSearch::new(line(), config).unwrap()
}

fn config() -> RegressionConfig {
    RegressionConfig::new(["r9"]).good(["r0"])
}

/// Runs a search with `k` probes at a time and tells their outcomes in order. `outcome` receives the index of the run.
fn drive(
    search: &mut RegressionSearch,
    k: usize,
    mut outcome: impl FnMut(usize, &Probe) -> Observation,
) -> RegressionReport {
    let mut runs = 0;
    while !search.is_done() {
        let probes = search.ask(k).unwrap();
        assert!(!probes.is_empty(), "nothing is asked, nothing is awaited, and the search is not done");
        for probe in probes {
            if search.wanted(probe.id).unwrap() {
                let observation = outcome(runs, &probe);
                search.tell(probe.id, observation).unwrap();
                runs += 1;
            } else {
                search.abandon(probe.id).unwrap();
            }
        }
    }
    search.report()
}

fn number(probe: &Probe) -> usize {
    probe.revision()[1..].parse().unwrap()
}

fn broken_by(culprit: usize) -> impl Fn(&Probe) -> Observation {
    move |probe| if number(probe) < culprit { Pass.into() } else { Fail.into() }
}

#[test]
fn one_job_needs_at_most_one_more_run() {
    for culprit in 1..10 {
        let mut confirming = Vec::new();
        let mut truth = search(config());
        let report = drive(&mut truth, 1, |_, probe| {
            if probe.confirms {
                confirming.push(probe.revision().to_owned());
            }
            broken_by(culprit)(probe)
        });
        let plain = drive(&mut search(config().unconfirmed()), 1, |_, probe| broken_by(culprit)(probe));
        let point = &report.points[0];
        assert_eq!((report.status, point.bad.as_str()), (Status::Found, format!("r{culprit}").as_str()));
        assert!(point.confirmed && point.parents_pass);
        assert!(confirming.len() <= 1, "{culprit}: {confirming:?}");
        assert_eq!(report.confirmations, confirming.len() as u64);
        assert_eq!(report.runs - report.confirmations, plain.runs);
        assert!(!plain.points[0].confirmed);
    }
}

#[test]
fn parallel_jobs_need_at_most_two_more_runs() {
    for culprit in 1..10 {
        let report = drive(&mut search(config()), 4, |_, probe| broken_by(culprit)(probe));
        assert_eq!(report.points[0].bad, format!("r{culprit}"));
        assert!(report.points[0].confirmed);
        assert!((1..=2).contains(&report.confirmations), "{culprit}: {}", report.confirmations);
    }
}

#[test]
fn a_confirming_probe_is_alone_in_flight() {
    let mut search = search(config());
    while !search.is_done() {
        let probes = search.ask(4).unwrap();
        if probes.iter().any(|probe| probe.confirms) {
            assert_eq!(probes.len(), 1);
            assert_eq!(search.in_flight(), probes);
            assert_eq!(search.ask(4).unwrap(), []);
        }
        for probe in probes {
            search.tell(probe.id, broken_by(4)(&probe)).unwrap();
        }
    }
    assert_eq!(search.report().confirmations, 2);
}

#[test]
fn a_service_outage_does_not_name_a_culprit() {
    // The fifth run and all later runs fail.
    let mut broken = search(RegressionConfig::new(["r9"]).good(["r0"]));
    let report = drive(&mut broken, 1, |run, probe| if run < 4 { broken_by(9)(probe) } else { Fail.into() });
    assert_eq!(report.status, Status::Contradictory);
    assert_eq!(report.points, []);
    assert_eq!(report.leaves[0].result, LeafResult::Contradictory);
    assert!(report.message.contains("Something outside the code changed, or the test is flaky"), "{}", report.message);
    assert_eq!(broken.inspect().suspects().map(|suspects| suspects.count_ones(..)), Some(0));
}

#[test]
fn a_good_revision_that_fails_beside_another_run_is_run_again_alone() {
    let mut disturbed = search(config());
    let probes = disturbed.ask(2).unwrap();
    for probe in &probes {
        disturbed.tell(probe.id, Fail.into()).unwrap();
    }
    assert_eq!(disturbed.status(), Status::Running);
    let [again] = &disturbed.ask(2).unwrap()[..] else { panic!("one probe") };
    assert!(again.confirms && again.revision() == "r0");
    let mut fails = disturbed.fresh().unwrap();
    fails.apply_all(&mut disturbed.inspect().events(0).iter()).unwrap();
    fails.tell(again.id, Fail.into()).unwrap();
    assert_eq!(fails.status(), Status::GoodEndFails);
    disturbed.tell(again.id, Pass.into()).unwrap();
    let report = disturbed.report();
    assert_eq!(report.status, Status::Contradictory);
    assert!(report.message.contains("in parallel with other runs"), "{}", report.message);
    assert!(report.message.contains("FIRSTBAD_JOB"), "{}", report.message);
}

#[test]
fn a_good_revision_that_fails_alone_needs_no_second_run() {
    let report = drive(&mut search(config()), 1, |_, _| Fail.into());
    assert_eq!((report.status, report.runs), (Status::GoodEndFails, 2));
}

#[test]
fn a_reused_build_does_not_confirm_a_result() {
    let reused = |observation: Observation| Observation { reused: true, ..observation };
    let build = |_: usize, probe: &Probe| {
        let seen = broken_by(4)(probe);
        if probe.confirms { seen } else { reused(seen) }
    };
    let report = drive(&mut search(config()), 1, build);
    assert_eq!((report.status, report.confirmations), (Status::Found, 2));
    // The kept build fails, and a fresh build passes.
    let stale = |_: usize, probe: &Probe| if probe.confirms { Pass.into() } else { reused(broken_by(4)(probe)) };
    let report = drive(&mut search(config()), 1, stale);
    assert_eq!(report.status, Status::Contradictory);
    assert!(report.message.contains("with a kept build"), "{}", report.message);
}

#[test]
fn reported_outcomes_are_trusted_and_stored_outcomes_are_confirmed() {
    for reused in [false, true] {
        let mut known = search(config());
        for number in 0..10 {
            let outcome = if number < 4 { Pass } else { Fail };
            known.observe(&format!("r{number}").into(), Observation { reused, ..outcome.into() }).unwrap();
        }
        assert_eq!(known.status(), if reused { Status::Running } else { Status::Found });
        let report = drive(&mut known, 1, |_, probe| broken_by(4)(probe));
        assert_eq!((report.status, report.confirmations), (Status::Found, if reused { 2 } else { 0 }));
        assert_eq!(report.points[0].confirmed, reused);
    }
}

#[test]
fn another_failure_at_the_culprit_is_a_changed_outcome() {
    let signed = |signature: &str| Observation { signature: Some(signature.to_owned()), ..Fail.into() };
    let report = drive(&mut search(config()), 4, |_, probe| match broken_by(4)(probe) {
        Observation { outcome: Fail, .. } if probe.confirms => signed("out of disk"),
        Observation { outcome: Fail, .. } => signed("wrong sum"),
        passes => passes,
    });
    assert_eq!(report.status, Status::Contradictory);
    assert!(report.message.contains("fails in another way"), "{}", report.message);
}

#[test]
fn the_paper_to_the_letter_and_flaky_tests_confirm_nothing() {
    let literal = RegressionConfig { check_parents: false, propagate: Some(false), ..config() };
    let flaky = config().search(SearchKind::Bayes);
    for config in [literal, flaky] {
        let report = drive(&mut search(config), 1, |_, probe| {
            assert!(!probe.confirms);
            broken_by(4)(probe)
        });
        assert_eq!(report.confirmations, 0);
    }
}

#[test]
fn a_fix_is_confirmed_by_a_failure_before_it() {
    let fixed = RegressionConfig { find: Find::Fix, ..RegressionConfig::new(["r0"]).good(["r9"]) };
    let outcome = |probe: &Probe| if number(probe) < 4 { Fail } else { Pass };
    let report = drive(&mut search(fixed.clone()), 4, |_, probe| outcome(probe).into());
    assert!(report.points[0].confirmed, "{report:?}");
    assert_eq!(report.points[0].newer(), "r4");
    let report = drive(&mut search(fixed), 4, |_, probe| if probe.confirms { Pass } else { outcome(probe) }.into());
    assert_eq!(report.status, Status::Contradictory);
}

#[test]
fn a_confirming_run_can_be_replayed_and_undone_but_not_told_twice() -> Result<(), Error> {
    let mut told = search(config());
    drive(&mut told, 4, |_, probe| broken_by(4)(probe));
    let mut again = told.fresh()?;
    again.apply_all(&mut told.inspect().events(0).iter())?;
    assert_eq!(again.status(), Status::Found);
    assert_eq!(again.inspect().report_json()?, told.inspect().report_json()?);
    let last = told.report().observations.last().and_then(|seen| seen.probe).unwrap();
    told.tell(last, Pass.into())?;
    assert!(matches!(told.tell(last, Fail.into()), Err(Error::Contradiction { .. })));
    told.undo(1)?;
    assert_eq!(told.status(), Status::Running);
    let [probe] = &told.ask(4)?[..] else { panic!("one probe") };
    assert!(probe.confirms);
    told.tell(probe.id, Fail.into())?;
    assert_eq!(told.status(), Status::Contradictory);
    Ok(())
}

#[test]
fn a_result_stays_unconfirmed_if_no_runs_are_left() {
    let mut limited = search(config());
    let plain = drive(&mut search(config().unconfirmed()), 1, |_, probe| broken_by(6)(probe));
    limited.set_budget(firstbad::Budget { runs: Some(plain.runs), ..firstbad::Budget::default() }).unwrap();
    let report = drive(&mut limited, 2, |_, probe| broken_by(6)(probe));
    assert_eq!(report.status, Status::Budget);
    assert!(report.points.iter().all(|point| !point.confirmed));
}

/// Returns a history with its outcomes, its culprit, and a search for it.
fn world(seed: u64) -> (Arc<CommitGraph>, Vec<Outcome>, String, RegressionConfig) {
    let mut random = Random::new(seed);
    let revisions = 3 + random.below(40) as usize;
    let shape = Shape { roots: 0, ..Shape::branchy(revisions) };
    let graph = Arc::new(history(&shape, seed).unwrap());
    let newest = (graph.len() - 1) as u32;
    let before: Vec<u32> = graph.ancestors(&[newest]).ones().map(|node| node as u32).filter(|&node| node > 0).collect();
    let culprit = before[random.below(before.len() as u64) as usize];
    let kinds = [SearchKind::Auto, SearchKind::Bisect, SearchKind::Linear, SearchKind::Weighted];
    let kind = kinds[random.below(4) as usize];
    let config = RegressionConfig::new([graph.id(newest)]).good([graph.id(0)]).search(kind);
    let outcomes = monotonic(&graph, culprit);
    let culprit = graph.id(culprit).to_owned();
    (graph, outcomes, culprit, config)
}

/// Returns the number of worlds with a wrong culprit and the number of worlds with any culprit, if outcomes `change` during the
/// search.
fn drifting(change: impl Fn(usize, usize, u32, Outcome) -> Outcome) -> (usize, usize) {
    let (mut wrong, mut named) = (0, 0);
    for seed in 0..600 {
        let (graph, outcomes, culprit, config) = world(seed);
        let at = Random::new(seed ^ 7).below(14) as usize;
        let k = [1, 1, 2, 4][(seed % 4) as usize];
        let mut search = RegressionSearch::new(Arc::clone(&graph), config).unwrap();
        let report = drive(&mut search, k, |run, probe| {
            let node = graph.get(probe.revision()).unwrap();
            change(run, at, node, outcomes[node as usize]).into()
        });
        let points: Vec<_> = report.points.iter().filter(|point| point.parents_pass).collect();
        named += usize::from(!points.is_empty());
        wrong += usize::from(points.iter().any(|point| point.bad != culprit));
    }
    (wrong, named)
}

#[test]
fn no_wrong_culprit_if_the_test_starts_to_fail_during_the_search() {
    let (wrong, named) = drifting(|run, at, _, outcome| if run >= at { Fail } else { outcome });
    assert!(named > 200, "{named}");
    assert_eq!(wrong, 0, "of {named}");
}

#[test]
fn no_wrong_culprit_if_the_environment_is_fixed_during_the_search() {
    let (wrong, named) = drifting(|run, at, _, outcome| if run < at { Fail } else { outcome });
    assert!(named > 50, "{named}");
    assert_eq!(wrong, 0, "of {named}");
}

#[test]
fn rarely_a_wrong_culprit_if_the_test_starts_to_pass_during_the_search() {
    let (wrong, named) = drifting(|run, at, _, outcome| if run >= at { Pass } else { outcome });
    assert!(named > 200, "{named}");
    // Only a change right before the last run goes unnoticed.
    assert!(wrong * 100 <= 3 * 600, "{wrong} of 600, {named} named");
}
