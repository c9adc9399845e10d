//! The verdict of a verification, compared with the paper's conditions (FACF, Section 4).

use std::sync::Arc;

use firstbad::culprit::{Rate, ReasonCode};
use firstbad::{CommitGraph, CulpritVerifier, Observation, Outcome, Search, Status, VerificationConfig};
use proptest::prelude::*;

/// The runs of one observation, with times if all have times.
#[derive(Debug, Clone)]
struct Run {
    revision: &'static str,
    passes: u32,
    fails: u32,
    time: Option<(f64, f64)>,
}

type Count = fn(&Run) -> u32;

/// The number of reruns: six times 0.1^4 is less than 0.001. The factor is two for each of `s`, `a`, and `b`.
const RERUNS: u32 = 4;

/// `c` merges `a` and `b`. `t` is the bad revision, and `c` the culprit.
fn graph() -> Arc<CommitGraph> {
    let parents = [("s", vec![]), ("a", vec!["s"]), ("b", vec!["s"]), ("c", vec!["a", "b"]), ("t", vec!["c"])];
    Arc::new(CommitGraph::new(parents).expect("parents come first"))
}

fn config(culprit: Option<&str>) -> VerificationConfig {
    VerificationConfig { confidence: 0.999, ..VerificationConfig::new(culprit, "t", Rate::Known(0.1)) }
}

/// Runs that usually fit the culprit.
fn runs() -> impl Strategy<Value = Vec<Run>> {
    let revision = prop::sample::select(vec!["s", "a", "b", "c", "t"]);
    let run = (revision, 1..3u32, 0..12u8, 0..40u8, 0..4u8);
    (prop::collection::vec(run, 0..40), any::<bool>()).prop_map(|(runs, timed)| {
        let made = runs.into_iter().map(|(revision, count, luck, start, length)| {
            let healthy = matches!(revision, "s" | "a" | "b");
            let (passes, fails) = match luck {
                0 if healthy => (1, count),
                1 if healthy => (0, count),
                2 => (0, 1),
                3 if !healthy && count == 2 => (1, 0),
                _ if healthy => (count, 0),
                _ => (0, count),
            };
            let time = timed.then(|| (f64::from(start), f64::from(start + length)));
            Run { revision, passes, fails, time }
        });
        made.collect()
    })
}

/// The paper's conditions, one by one.
struct Reading<'r>(&'r [Run]);

impl Reading<'_> {
    fn count(&self, of: &str, what: impl Fn(&Run) -> u32) -> u32 {
        self.0.iter().filter(|run| run.revision == of).map(what).sum()
    }

    fn passes(&self, of: &str) -> bool {
        self.count(of, |run| run.passes) > 0
    }

    /// No pass in all reruns.
    fn never_passes(&self, of: &str) -> bool {
        !self.passes(of) && self.count(of, |run| run.fails) >= RERUNS
    }

    /// Whether a run of one kind ended before one of the other kind started.
    fn before(&self, one: (&str, Count), other: (&str, Count)) -> bool {
        let all = || self.0.iter().enumerate();
        let is = |run: &Run, (of, what): (&str, Count)| run.revision == of && what(run) > 0;
        all().filter(|(_, run)| is(run, one)).any(|(i, first)| {
            all().filter(|(_, run)| is(run, other)).any(|(j, second)| match (first.time, second.time) {
                (Some((_, ended)), Some((started, _))) => ended <= started,
                _ => i < j,
            })
        })
    }

    fn is_proved(&self) -> bool {
        let (passes, fails): (Count, Count) = (|run| run.passes, |run| run.fails);
        let both = |sound: &str, broken: &str| {
            self.before((sound, passes), (broken, fails)) && self.before((broken, fails), (sound, passes))
        };
        let always_fails = |of: &str| !self.passes(of) && self.count(of, fails) >= RERUNS;
        both("s", "t") && both("a", "c") && both("b", "c") && always_fails("c") && always_fails("t")
    }

    fn disproofs(&self) -> Vec<(ReasonCode, &'static str)> {
        let mut found = Vec::new();
        let mut add = |holds: bool, code: ReasonCode, of: &'static str| found.extend(holds.then_some((code, of)));
        add(self.passes("c"), ReasonCode::CulpritPasses, "c");
        add(self.passes("t"), ReasonCode::BadPasses, "t");
        add(self.never_passes("s"), ReasonCode::GoodNeverPasses, "s");
        add(self.never_passes("a"), ReasonCode::ParentNeverPasses, "a");
        add(self.never_passes("b"), ReasonCode::ParentNeverPasses, "b");
        found
    }
}

/// Whether a reason concerns the order of runs, which also depends on the order of reports.
fn is_about_order(code: ReasonCode) -> bool {
    matches!(
        code,
        ReasonCode::NoGoodPassBeforeBadFail
            | ReasonCode::NoBadFailBeforeGoodPass
            | ReasonCode::NoParentPassBeforeCulpritFail
            | ReasonCode::NoCulpritFailBeforeParentPass
    )
}

fn told(config: VerificationConfig, runs: &[Run]) -> CulpritVerifier {
    let mut verifier = CulpritVerifier::new(graph(), config).expect("a culprit between the ends");
    for run in runs {
        let (started, ended) = run.time.unzip();
        let seen = Observation { started, ended, ..Observation::counted(run.passes, run.fails) };
        verifier.observe(&run.revision.into(), seen).expect("counts and times");
    }
    verifier
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(17), ..ProptestConfig::default() })]

    #[test]
    fn the_verdict_follows_the_paper(mut runs in runs(), is_sorted in any::<bool>()) {
        if is_sorted {
            // Report runs in the order in which they ended.
            runs.sort_by(|one, other| one.time.map(|time| time.1).partial_cmp(&other.time.map(|time| time.1)).expect("numbers"));
        }
        let report = told(config(Some("c")), &runs).report();
        let reading = Reading(&runs);
        prop_assert_eq!(report.reruns, RERUNS);
        let plain: Vec<(ReasonCode, &str)> =
            report.reasons.iter().filter(|r| !is_about_order(r.code)).map(|r| (r.code, r.revision.as_str())).collect();
        prop_assert_eq!(plain, reading.disproofs());
        let (passes, fails): (Count, Count) = (|run| run.passes, |run| run.fails);
        for reason in report.reasons.iter().filter(|reason| is_about_order(reason.code)) {
            let sound = reason.revision.as_str();
            let broken = if sound == "s" { "t" } else { "c" };
            let after = matches!(reason.code, ReasonCode::NoBadFailBeforeGoodPass | ReasonCode::NoCulpritFailBeforeParentPass);
            let seen = if after { reading.before((broken, fails), (sound, passes)) } else { reading.before((sound, passes), (broken, fails)) };
            // A failure that is reported late can have been early, see `start_times_decide_the_order`.
            prop_assert!(!seen || !is_sorted && runs.iter().any(|run| run.time.is_some()), "{:?} {:?}", reason, runs);
            prop_assert!(!seen || after);
        }
        if report.correct == Some(true) {
            prop_assert!(reading.is_proved() && reading.disproofs().is_empty(), "{:?}", runs);
        }
        if reading.is_proved() && (is_sorted || runs.iter().all(|run| run.time.is_none())) {
            prop_assert_eq!(report.correct, Some(reading.disproofs().is_empty()), "{:?} {:?}", runs, report.reasons);
        }
        prop_assert_eq!(report.correct == Some(false), !report.reasons.is_empty());
        prop_assert_eq!(report.status, if report.correct.is_some() { Status::Found } else { Status::Running });
    }

    #[test]
    fn a_flake_needs_one_pass(runs in runs()) {
        let report = told(config(None), &runs).report();
        let reading = Reading(&runs);
        let expected = match () {
            () if reading.passes("t") => Some(true),
            // For one check, 0.1^3 is 0.001.
            () if reading.count("t", |run| run.fails) >= 3 => Some(false),
            () => None,
        };
        prop_assert_eq!(report.correct, expected);
    }

    #[test]
    fn every_verification_ends(culprit in prop::option::of(prop::sample::select(vec!["a", "b", "c", "t"])), broken in prop::sample::select(vec!["", "a", "ab", "abct", "bct", "ct", "t"]), rate in 0..4u8, luck in prop::collection::vec(0..10u8, 400), jobs in 1..5usize, timed in any::<bool>()) {
        let mut verifier = CulpritVerifier::new(graph(), config(culprit)).expect("a culprit between the ends");
        let mut flying = Vec::new();
        let mut asked = 0;
        while !verifier.is_done() {
            let probes = verifier.ask(jobs).expect("k above 0");
            prop_assert!(probes.len() <= jobs);
            asked += probes.len();
            flying.extend(probes);
            prop_assert!(!flying.is_empty(), "asks nothing, nothing in flight, not done");
            prop_assert!(asked < luck.len(), "no end");
            let probe = flying.remove(0);
            let fails = broken.contains(probe.revision()) || luck[probe.id as usize] < rate;
            let mut seen = Observation::new(if fails { Outcome::Fail } else { Outcome::Pass });
            if timed {
                seen.started = Some(probe.id as f64);
                seen.ended = Some(probe.id as f64 + 1.0);
            }
            verifier.tell(probe.id, seen).expect("a first answer");
        }
        let snapshot = verifier.inspect().snapshot().expect("it has a JSON form");
        let again = CulpritVerifier::restore(graph(), &snapshot).expect("its own snapshot");
        prop_assert_eq!(again.report(), verifier.report());
        if rate == 0 {
            let right = match culprit {
                None => !broken.contains('t'),
Some(culprit) => {
                    let parents = match culprit { "t" => "c", "c" => "ab", _ => "s" };
                    broken.contains('t') && broken.contains(culprit) && !broken.contains(|c| parents.contains(c))
                }
            };
            prop_assert_eq!(verifier.report().correct, Some(right));
        }
    }
}

#[test]
fn start_times_decide_the_order() {
    let at = |revision, passes, fails, start: f64| Run { revision, passes, fails, time: Some((start, start + 0.5)) };
    // t fails at 10 and, reported later, at 1, before s passes at 5. All other runs are complete.
    let runs = [
        at("s", 1, 0, 0.0),
        at("a", 1, 0, 0.0),
        at("b", 1, 0, 0.0),
        at("t", 0, 4, 10.0),
        at("t", 0, 4, 1.0),
        at("s", 1, 0, 5.0),
        at("c", 0, 4, 2.0),
        at("a", 1, 0, 5.0),
        at("b", 1, 0, 5.0),
    ];
    assert!(Reading(&runs).is_proved());
    assert_eq!(told(config(Some("c")), &runs).report().correct, Some(true));
}
