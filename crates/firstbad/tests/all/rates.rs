//! Searches with wrong rates, or with rates that are too high for a result.

use crate::random::Random;
use std::sync::Arc;

use firstbad::culprit::{Conclusion, CulpritReport, Rate, Reason, RunCounts};
use firstbad::regression::{RegressionConfig, RegressionReport, RegressionSearch, SearchKind};
use firstbad::{
    CommitGraph, CulpritConfig, CulpritSearch, CulpritVerifier, Find, Observation, Outcome, Search, Status,
    VerificationConfig,
};

const SUSPECTS: usize = 40;

fn graph() -> Arc<CommitGraph> {
    Arc::new(CommitGraph::linear((0..=SUSPECTS).map(|i| i.to_string())).expect("ids that differ"))
}

fn config(rate: Rate) -> CulpritConfig {
    CulpritConfig::new(SUSPECTS.to_string(), rate).good(["0"])
}

/// The error rates at healthy and at broken revisions.
#[derive(Debug, Clone, Copy)]
struct Errs(f64, f64);

/// Runs one search. The culprit is `None` for a flake.
fn play(config: CulpritConfig, culprit: Option<usize>, errs: Errs, seed: u64) -> CulpritReport {
    play_side_by_side(config, culprit, errs, seed, 1)
}

/// Like `play`, with `jobs` probes in flight.
fn play_side_by_side(
    config: CulpritConfig,
    culprit: Option<usize>,
    errs: Errs,
    seed: u64,
    jobs: usize,
) -> CulpritReport {
    let mut luck = Random(seed);
    let mut search = CulpritSearch::new(graph(), config).expect("a configuration");
    while !search.is_done() {
        for probe in search.ask(jobs).expect("k above 0") {
            if search.is_done() {
                break;
            }
            let at: usize = probe.revision().parse().expect("a number");
            let is_broken = culprit.is_some_and(|culprit| at >= culprit);
            let fails = if is_broken { luck.fraction() >= errs.1 } else { luck.fraction() < errs.0 };
            search.tell(probe.id, if fails { Outcome::Fail } else { Outcome::Pass }.into()).expect("a first answer");
        }
        assert!(search.runs() < 2000, "no end");
    }
    search.report()
}

/// The number of right and of wrong culprits. Half of the searches have a culprit.
fn score(config: &CulpritConfig, errs: Errs, trials: usize) -> (usize, usize) {
    let (mut right, mut wrong) = (0, 0);
    for trial in 0..trials {
        let culprit = (trial % 2 == 0).then_some(1 + trial / 2 % SUSPECTS);
        let report = play(config.clone(), culprit, errs, trial as u64);
        let is_right = report.culprit == culprit.map(|culprit| culprit.to_string());
        match report.conclusion {
            Conclusion::Inconclusive => {}
            _ if is_right => right += 1,
            Conclusion::Culprit => wrong += 1,
            Conclusion::Flake => {}
        }
    }
    (right, wrong)
}

#[test]
fn too_low_a_rate_names_no_innocent_commit() {
    for (told, errs) in [(0.05, Errs(0.3, 0.0)), (0.01, Errs(0.5, 0.0)), (0.0, Errs(0.3, 0.0)), (0.05, Errs(0.05, 0.1))]
    {
        let (right, wrong) = score(&config(Rate::Known(told)), errs, 120);
        assert!(wrong <= 2 && right >= 100, "told {told}, {errs:?}: {right} right, {wrong} wrong");
    }
}

#[test]
fn an_estimate_holds_for_high_rates() {
    for (rate, least) in [(0.6, 70), (0.7, 68), (0.8, 58), (0.9, 55)] {
        let (right, wrong) = score(&config(Rate::Estimate), Errs(rate, 0.0), 100);
        assert!(wrong <= 2 && right >= least, "{rate}: {right} right, {wrong} wrong");
    }
}

#[test]
fn a_commit_that_made_the_test_fail_now_and_then_is_seldom_called_a_flake() {
    /// The number of searches that report a flake despite a culprit, and the runs of all searches.
    fn flakes(config: &CulpritConfig, false_pass: f64) -> (usize, u64) {
        let played =
            (0..60).map(|trial| play(config.clone(), Some(1 + trial % SUSPECTS), Errs(0.0, false_pass), trial as u64));
        played.fold((0, 0), |(flakes, runs), report| {
            (flakes + usize::from(report.conclusion == Conclusion::Flake), runs + report.runs)
        })
    }
    let (untold, estimated) = (config(Rate::Estimate), Rate::Estimate);
    let (seldom, often) = (flakes(&untold, 0.3), flakes(&untold, 0.5));
    assert!(seldom.0 <= 4 && seldom.0 < often.0 && often.0 <= 18, "{seldom:?}, {often:?}");
    let asked = flakes(&CulpritConfig { false_pass_rate: estimated, ..untold }, 0.5);
    assert!(asked.0 < often.0 && asked.1 > often.1, "{asked:?}, {often:?}");
}

#[test]
fn flakes_are_reported_if_broken_revisions_never_pass() {
    let report = play(config(Rate::Estimate), None, Errs(0.0, 0.0), 0);
    let all = "no culprit found. 40 did not fail again in 3 runs, so its failure was a flake with probability 100.0%, if bad \
               revisions never pass";
    assert_eq!((report.message.as_str(), report.runs), (all, 3));
    let unknown = CulpritConfig { false_pass_rate: Rate::Estimate, ..config(Rate::Estimate) };
    let message = play(unknown, None, Errs(0.0, 0.0), 0).message;
    assert!(!message.contains("if bad revisions"), "{message}");
}

#[test]
fn past_runs_may_nearly_all_have_failed() {
    let seen = RunCounts { passes: 5, fails: 95 };
    let (right, wrong) = score(&config(Rate::History(seen)), Errs(0.95, 0.0), 30);
    assert!(wrong == 0 && right >= 15, "{right} right, {wrong} wrong");
}

#[test]
fn a_search_that_knows_neither_rate_ends() {
    let unknown = CulpritConfig { false_pass_rate: Rate::Estimate, ..config(Rate::Estimate) };
    let mut given_up = 0;
    for errs in [Errs(0.5, 0.5), Errs(0.55, 0.35), Errs(0.9, 0.05), Errs(0.3, 0.7), Errs(1.0, 0.0)] {
        for seed in 0..4 {
            let report = play(unknown.clone(), (seed % 2 == 0).then_some(20), errs, seed);
            assert!(report.runs <= 64 * 6, "{errs:?}: {} answers", report.runs);
            if report.status == Status::TooFlaky {
                given_up += 1;
                assert_eq!((report.reason, report.conclusion), (Reason::TooFlaky, Conclusion::Inconclusive));
                assert!(report.message.starts_with("the test is too flaky"), "{}", report.message);
            }
        }
    }
    assert!(given_up > 0);
}

#[test]
fn too_flaky_does_not_depend_on_the_probes_in_flight() {
    let unknown = CulpritConfig { false_pass_rate: Rate::Estimate, ..config(Rate::Estimate) };
    let given_up = |errs: Errs, jobs: usize| {
        let played = (0..16).map(|seed| play_side_by_side(unknown.clone(), Some(11), errs, seed, jobs));
        played.filter(|report| report.status == Status::TooFlaky).count()
    };
    for jobs in [1, 64] {
        assert_eq!(given_up(Errs(0.3, 0.2), jobs), 0, "{jobs} in flight");
        let hopeless = given_up(Errs(0.9, 0.05), jobs);
        assert!(hopeless >= 4, "{jobs} in flight: {hopeless}");
    }
}

#[test]
fn inconsistent_rates_are_reported() {
    let report = play(config(Rate::Known(0.01)), Some(20), Errs(0.4, 0.0), 2);
    assert!(!report.rates_consistent && report.flake_rate > 0.2, "{report:?}");
    assert!(report.message.contains("The given rates do not fit the outcomes"), "{}", report.message);
    // Without verification, no culprit is reported at these rates.
    let named = (0..40).map(|seed| play(config(Rate::Known(0.01)).verify(false), Some(20), Errs(0.4, 0.0), seed));
    for report in named.filter(|report| !report.rates_consistent) {
        assert_eq!((report.conclusion, report.reason), (Conclusion::Inconclusive, Reason::Contradictory));
        assert_eq!(report.flake_rate, 0.01);
    }
    let fitting = play(config(Rate::Known(0.1)), Some(20), Errs(0.1, 0.0), 3);
    assert!(fitting.rates_consistent && fitting.verified, "{fitting:?}");
}

#[test]
fn a_missing_verification_is_reported() {
    let mut search = CulpritSearch::new(graph(), config(Rate::Known(0.0))).expect("a configuration");
    search.observe(&"0".into(), Outcome::Unresolved.into()).expect("a revision");
    search.observe(&"1".into(), Observation::counted(0, 9)).expect("counts");
    let report = search.report();
    assert_eq!((report.culprit.as_deref(), report.verified), (None, false));
    assert_eq!((report.reason, report.missing.len()), (Reason::Unproven, 1));
    assert!(report.message.contains("no run of 0 passed"), "{}", report.message);
}

#[test]
fn a_burst_is_reported() {
    let mut search = CulpritSearch::new(graph(), config(Rate::Known(0.2))).expect("a configuration");
    for (revision, outcome, runs) in [("3", Outcome::Pass, 6), ("5", Outcome::Fail, 5), ("40", Outcome::Pass, 9)] {
        for _ in 0..runs {
            search.observe(&revision.into(), outcome.into()).expect("a revision");
        }
    }
    let report = search.report();
    assert_eq!((report.conclusion, report.failure_streak), (Conclusion::Flake, Some(5)), "{report:?}");
    assert!(report.message.contains("5 good revisions in a row failed"), "{}", report.message);
}

#[test]
fn a_true_culprit_is_rejected_within_the_confidence() {
    let refused = |confidence: f64| {
        let told = VerificationConfig { confidence, ..VerificationConfig::new(Some("2"), "3", Rate::Known(0.5)) };
        let graph = Arc::new(CommitGraph::linear(["0", "1", "2", "3"]).expect("ids that differ"));
        let verdict = |seed| {
            let mut luck = Random(seed);
            let mut verifier = CulpritVerifier::new(Arc::clone(&graph), told.clone()).expect("a culprit");
            while !verifier.is_done() {
                for probe in verifier.ask(1).expect("k above 0") {
                    let fails = probe.revision() >= "2" || luck.fraction() < 0.5;
                    let outcome = if fails { Outcome::Fail } else { Outcome::Pass };
                    verifier.tell(probe.id, outcome.into()).expect("a first answer");
                }
            }
            verifier.report().correct
        };
        (0..2000).filter(|&seed| verdict(seed) == Some(false)).count()
    };
    // 2.8% of the searches, with the confidence of each single check.
    let (many, few) = (refused(0.9), refused(0.99));
    assert!((20..=200).contains(&many) && few <= 20, "{many} and {few} of 2000");
}

#[test]
fn a_culprit_at_an_unknown_rate_failed_twice() {
    for culprit in 1..SUSPECTS {
        let unverified = CulpritConfig { verify: false, ..config(Rate::Estimate) };
        let report = play(unverified, Some(culprit), Errs(0.0, 0.0), culprit as u64);
        assert_eq!((report.conclusion, report.culprit), (Conclusion::Culprit, Some(culprit.to_string())));
        let seen = report.observations.iter().map(|seen| (seen.target.revision.as_deref(), seen.observation.outcome));
        let failures = seen.filter(|seen| *seen == (Some(&*culprit.to_string()), Outcome::Fail)).count();
        assert!(failures >= 2, "{culprit} failed {failures} times in {} runs", report.observations.len());
    }
}

/// Searches for the fix of a test with false passes: the number of right and of wrong results, and the mean number of runs.
fn repaired(flake: Rate, false_pass: Option<Rate>) -> (usize, usize, u64) {
    let (mut right, mut wrong, mut runs) = (0, 0, 0);
    for seed in 0..40 {
        let (report, repair) = repair(flake, false_pass, seed);
        runs += report.runs;
        let named = report.points.first().and_then(|point| point.good.as_deref());
        if report.status == Status::Found {
            // The fix was distinguished from its parent, or the parent has a settled outcome.
            assert!(report.points[0].parents_pass, "{:?}", report.points);
            *if named == Some(repair.to_string().as_str()) { &mut right } else { &mut wrong } += 1;
        }
    }
    (right, wrong, runs / 40)
}

/// One such search, with the fix.
fn repair(flake: Rate, false_pass: Option<Rate>, seed: u64) -> (RegressionReport, usize) {
    const REVISIONS: usize = 700;
    let graph = CommitGraph::linear((0..REVISIONS).map(|i| i.to_string())).expect("ids that differ");
    let mut luck = Random(seed);
    let repair = 50 + (luck.fraction() * 600.0) as usize;
    let config = RegressionConfig {
        find: Find::Fix,
        good: vec![(REVISIONS - 1).to_string()],
        search: SearchKind::Bayes,
        flake_rate: Some(flake),
        false_pass_rate: false_pass,
        ..RegressionConfig::new(["0"])
    };
    let mut search = RegressionSearch::new(Arc::new(graph), config).expect("valid ends");
    while !search.is_done() {
        let probe = search.ask(1).expect("a job").remove(0);
        let at: usize = probe.revision().parse().expect("a number");
        let passes = at >= repair || luck.fraction() < 1.0 / 24.0;
        search.tell(probe.id, if passes { Outcome::Pass } else { Outcome::Fail }.into()).expect("a first answer");
    }
    (search.report(), repair)
}

#[test]
fn a_warning_says_that_other_rates_were_used() {
    let said = |flake, false_pass, needle: &str| {
        let reports: Vec<_> = (0..20).map(|seed| repair(flake, false_pass, seed).0).collect();
        let warned = |report: &&RegressionReport| report.warnings.iter().any(|warning| warning.contains(needle));
        for report in reports.iter().filter(warned) {
            // The warning counts observed runs: no failure after the fix, and some passes before it.
            let warning = &report.warnings[0];
            assert!(warning.contains("right, 0 of ") && !warning.contains("and 0 of "), "{warning}");
        }
        reports.iter().filter(warned).count()
    };
    let granted = said(Rate::Estimate, None, "the outcomes do not fit the assumption that bad revisions never pass");
    let told = said(Rate::Known(0.05), Some(Rate::Known(0.0)), "the given rates do not fit the outcomes");
    let unknown = said(Rate::Estimate, Some(Rate::Estimate), "fit the");
    assert!(granted >= 3 && told >= 3 && unknown == 0, "{granted} {told} {unknown}");
}

#[test]
fn a_default_rate_that_fits_the_result_is_not_called_wrong() {
    // Broken, fixed, and broken again. Until the search finds that out, the runs look like other rates.
    let graph = Arc::new(CommitGraph::linear((0..500).map(|i| i.to_string())).expect("ids that differ"));
    let mut right = 0;
    for seed in 0..60 {
        let mut luck = Random(seed);
        let first = 50 + (luck.fraction() * 100.0) as usize;
        let (repair, second) = (first + 80, first + 200);
        let config = RegressionConfig {
            good: vec!["0".to_owned()],
            search: SearchKind::Bayes,
            flake_rate: Some(Rate::Estimate),
            ..RegressionConfig::new(["499"])
        };
        let mut search = RegressionSearch::new(Arc::clone(&graph), config).expect("valid ends");
        while !search.is_done() {
            let probe = search.ask(1).expect("a job").remove(0);
            let at: usize = probe.revision().parse().expect("a number");
            let fails = (first..repair).contains(&at) || at >= second || luck.fraction() < 0.2;
            search.tell(probe.id, if fails { Outcome::Fail } else { Outcome::Pass }.into()).expect("a first answer");
        }
        let report = search.report();
        // If the first change is reported, the revisions after the fix pass.
        assert!(!report.warnings.iter().any(|warning| warning.contains("and 0 of ")), "{:?}", report.warnings);
        let named = report.points.first().map(|point| point.bad.clone());
        right += usize::from(named == Some(first.to_string()) || named == Some(second.to_string()));
    }
    assert!(right >= 58, "{right} of 60");
}

#[test]
fn a_fix_is_found_with_rates_from_other_revisions() {
    // From its own runs, a revision with some passes could also be one with a high flake rate.
    let (right, wrong, runs) = repaired(Rate::Estimate, Some(Rate::Known(1.0 / 24.0)));
    assert!(right >= 38 && wrong == 0 && runs <= 40, "{right} {wrong} {runs}");
    let (right, wrong, runs) = repaired(Rate::Estimate, Some(Rate::Estimate));
    assert!(right >= 38 && wrong == 0 && runs <= 30, "{right} {wrong} {runs}");
    let (right, wrong, runs) = repaired(Rate::Known(0.0), Some(Rate::Estimate));
    assert!(right >= 38 && wrong == 0 && runs <= 30, "{right} {wrong} {runs}");
}

#[test]
fn a_fix_is_found_despite_wrong_rates() {
    // At the given rates, nothing passes before the fix, so that each pass would be the fix.
    for flake in [Rate::Estimate, Rate::Known(0.05)] {
        let (right, wrong, runs) = repaired(flake, None);
        assert!(right >= 38 && wrong == 0 && runs <= 30, "{flake:?}: {right} {wrong} {runs}");
    }
}
