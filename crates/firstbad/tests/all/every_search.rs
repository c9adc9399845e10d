//! The promises of every algorithm, tested through [`Search`](firstbad::Search).

use crate::random::seeded;
use std::collections::{HashMap, HashSet};

use firstbad::{
    Event, MOST_IN_FLIGHT, Observation, Outcome, Probe, Report, Status, Target, TargetObservation, explain,
};
use firstbad_testkit::plays::Play;
use firstbad_testkit::scenes::show;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Returns the outcomes that were told, by revision.
fn seen(play: &Play) -> HashMap<String, HashSet<Outcome>> {
    let mut seen: HashMap<String, HashSet<Outcome>> = HashMap::new();
    for (target, outcome) in &play.told {
        seen.entry(target.revision.clone().unwrap_or_default()).or_default().insert(*outcome);
    }
    seen
}

/// Checks that the result was observed. Returns the kinds of results in the report.
fn answers_were_seen(play: &Play) -> Vec<&'static str> {
    let report = play.report().expect("a report");
    let mut kinds = Vec::new();
    let seen = seen(play);
    let was =
        |name: &Value, outcome| seen.get(name.as_str().unwrap_or_default()).is_some_and(|all| all.contains(&outcome));
    if report["conclusion"] == "culprit" {
        let culprit = &report["culprit"];
        assert!(was(culprit, Outcome::Fail), "{culprit} was not seen to fail: {report}");
        kinds.push("culprit");
    }
    let is_found = report["status"] == "found";
    for point in report.get("points").and_then(Value::as_array).into_iter().flatten().filter(|_| is_found) {
        let trusted = |name: &Value| point["untested_endpoints"].as_array().is_some_and(|all| all.contains(name));
        assert!(was(&point["bad"], Outcome::Fail) || trusted(&point["bad"]), "{point}");
        // A failing root has no older revision.
        assert!(point["good"].is_null() || was(&point["good"], Outcome::Pass) || trusted(&point["good"]), "{point}");
        kinds.push("points");
    }
    let told = |items: &Value, outcome| {
        let is_it = |told: &(Target, Outcome)| {
            let changes = told.0.changes.as_ref().map(|changes| changes.iter().collect::<Vec<_>>());
            told.1 == outcome && json!(changes) == *items
        };
        play.told.iter().any(is_it)
    };
    if play.search.inspect().algorithm() == "port" && report["good"].is_string() {
        assert!(was(&report["good"], Outcome::Pass), "it was not seen to pass: {report}");
        assert!(was(&report["bad"], Outcome::Fail), "it was not seen to fail: {report}");
        kinds.push("good");
    }
    if let Some(kept) = report.get("kept").filter(|_| is_found) {
        let is_failure = play.search.inspect().configuration().expect("JSON")["keep"] == "fail";
        let keep = if is_failure { Outcome::Fail } else { Outcome::Pass };
        assert!(told(kept, keep), "{kept} was not seen to keep the property: {report}");
        kinds.push("kept");
    }
    if let Some(lacking) = report.get("lacking").filter(|_| is_found) {
        assert!(told(lacking, Outcome::Fail), "{lacking} was not seen to lack the property: {report}");
        kinds.push("lacking");
    }
    kinds
}

#[test]
fn every_kind_of_result_occurs() {
    let mut kinds: HashMap<&str, usize> = HashMap::new();
    for seed in 0..900 {
        let mut play = Play::new(seed).expect("a search");
        while !play.search.is_done() {
            play.step().expect("an answer to what was asked");
        }
        answers_were_seen(&play).into_iter().for_each(|kind| *kinds.entry(kind).or_default() += 1);
    }
    for kind in ["culprit", "points", "kept", "lacking", "good"] {
        assert!(kinds.get(kind).is_some_and(|&count| count >= 2), "{kind}: {kinds:?}");
    }
}

/// Checks that a search ends, asks for nothing twice, stays within its bound, and reports the outcomes it was told.
fn ends_and_reports_its_observations(seed: u64) -> Result<(), TestCaseError> {
    let mut play = Play::new(seed).expect("a search");
    let bound = play.bound();
    let repeats = play.search.inspect().repeats();
    let mut asked = HashSet::new();
    while !play.search.is_done() || !play.flying.is_empty() {
        if play.search.is_done() {
            play.tell().expect("an answer to what was asked");
            continue;
        }
        let before = play.flying.len();
        let k = 1 + play.random.below(5) as usize;
        let count = play.ask(k).expect("k is no 0");
        prop_assert!(count <= k);
        prop_assert!(!play.flying.is_empty() || play.search.is_done(), "stuck");
        for probe in &play.flying[before..] {
            // Known targets and targets in flight are asked for only to confirm the result.
            prop_assert!(repeats || probe.confirms || asked.insert(probe.target.clone()), "{:?} twice", probe.target);
        }
        if !play.flying.is_empty() {
            play.tell().expect("an answer to what was asked");
        }
        prop_assert!(
            play.told.len() <= bound,
            "{} answers of {} by {:?}, {bound} allowed",
            play.told.len(),
            play.items,
            play.search.inspect().configuration()
        );
    }
    let report = play.report().expect("a report");
    let reported = report["observations"].as_array().expect("a list");
    let told: Vec<Value> = play
        .told
        .iter()
        .map(|(target, outcome)| {
            let mut one = serde_json::to_value(target).expect("a target");
            one["outcome"] = json!(outcome);
            one
        })
        .collect();
    prop_assert_eq!(reported.len(), told.len());
    for (one, told) in reported.iter().zip(&told) {
        for (name, value) in told.as_object().expect("an object") {
            prop_assert_eq!(&one[name], value);
        }
    }
    answers_were_seen(&play);
    Ok(())
}

// This property runs in two parallel halves because it takes longer than the others.
proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..seeded(150, 72) })]

    #[test]
    fn ends_and_reports_its_observations_first_half(seed in any::<u64>()) {
        ends_and_reports_its_observations(seed)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..seeded(150, 73) })]

    #[test]
    fn ends_and_reports_its_observations_second_half(seed in any::<u64>()) {
        ends_and_reports_its_observations(seed)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..seeded(300, 72) })]

    #[test]
    fn every_outcome_has_an_explanation(seed in any::<u64>()) {
        let mut play = Play::new(seed).expect("a search");
        let mut left = Vec::new();
        while !play.search.is_done() && play.told.len() < 40 {
            play.step().expect("an answer to what was asked");
            let suspects = play.search.inspect().suspects().map(|suspects| suspects.count_ones(..));
            left.resize(play.told.len(), suspects);
        }
        let report = Report::of(play.search.inspect()).expect("a report");
        let explained = explain(&*play.search).expect("all of it was told before");
        let told: Vec<_> = TargetObservation::with_runs(report.observations()).collect();
        prop_assert_eq!(explained.len(), told.len());
        for (explanation, (run, one)) in explained.iter().zip(&told) {
            prop_assert_eq!((explanation.run, &explanation.target), (*run, &one.target));
            prop_assert_eq!(explanation.outcome, one.observation.outcome);
        }
        // Some steps tell no outcome and some tell several, so only the last number of suspects is compared.
        if let (Some(explanation), Some(left)) = (explained.last(), left.last()) {
            prop_assert_eq!(explanation.suspects_after, *left);
        }
    }

    #[test]
    fn a_prefix_of_the_events_restores_the_state_at_that_time(seed in any::<u64>()) {
        let mut play = Play::new(seed).expect("a search");
        let mut states: Vec<(usize, String, Value)> = Vec::new();
        for _ in 0..30 {
            if play.search.is_done() && play.flying.is_empty() {
                break;
            }
            play.step().expect("an answer to what was asked");
            if play.flying.len() > 1 && play.random.chance(200) {
                let probe = play.flying.remove(0);
                play.search.abandon(probe.id).expect("it is in flight");
            }
            let inspect = play.search.inspect();
            states.push((inspect.event_count(), inspect.snapshot().expect("JSON"), play.report().expect("a report")));
        }
        let events: Vec<Event> = play.search.inspect().events(0);
        for (count, snapshot, report) in states {
            let mut again = play.search.fresh().expect("it was opened before");
            again.apply_all(&mut events[..count].iter()).expect("its own events");
            prop_assert_eq!(again.inspect().snapshot().expect("JSON"), snapshot);
            let reported: Value = serde_json::from_str(&again.inspect().report_json().expect("a report")).expect("JSON");
            prop_assert_eq!(reported, report);
        }
    }

    #[test]
    fn undo_restores_the_state_before_an_outcome(seed in any::<u64>()) {
        let mut play = Play::new(seed).expect("a search");
        for _ in 0..play.random.below(25) {
            if !play.search.is_done() {
                play.step().expect("an answer to what was asked");
            }
        }
        if play.flying.is_empty() && play.ask(3).expect("k is no 0") == 0 {
            return Ok(());
        }
        let events = play.search.inspect().events(0);
        let mut without = play.search.fresh().expect("it was opened before");
        without.apply_all(&mut events.iter()).expect("its own events");
        let probe = play.flying[0].clone();
        let outcome = play.oracle.answer(&probe.target);
        play.search.tell(probe.id, Observation::from(outcome)).expect("an answer to what was asked");
        play.search.undo(1).expect("there is one answer");
        without.abandon(probe.id).expect("it is in flight");
        let report: Value = serde_json::from_str(&without.inspect().report_json().expect("a report")).expect("JSON");
        prop_assert_eq!(play.report().expect("a report"), report);
        prop_assert_eq!(play.search.status(), without.status());
        let targets = |probes: Vec<Probe>| probes.into_iter().map(|probe| probe.target).collect::<Vec<_>>();
        show(&mut *play.search).expect("patches");
        show(&mut *without).expect("patches");
        prop_assert_eq!(targets(play.search.ask(3).expect("3")), targets(without.ask(3).expect("3")));
    }

    #[test]
    fn asking_for_four_twice_equals_asking_for_eight(seed in any::<u64>()) {
        let mut play = Play::new(seed).expect("a search");
        for _ in 0..play.random.below(12) {
            if !play.search.is_done() {
                play.step().expect("an answer to what was asked");
            }
        }
        let events = play.search.inspect().events(0);
        let mut other = play.search.fresh().expect("it was opened before");
        other.apply_all(&mut events.iter()).expect("its own events");
        show(&mut *play.search).expect("patches");
        show(&mut *other).expect("patches");
        let eight = play.search.ask(8).expect("8");
        let mut twice = other.ask(4).expect("4");
        twice.extend(other.ask(4).expect("4"));
        let targets = |probes: &[Probe]| probes.iter().map(|probe| probe.target.clone()).collect::<Vec<_>>();
        match (play.search.inspect().algorithm(), play.search.inspect().repeats()) {
            // The best eight probes are not the best four twice. No probe is repeated.
            ("regression", false) => {
                let twice = targets(&twice);
                prop_assert!((1..twice.len()).all(|at| !twice[..at].contains(&twice[at])), "{twice:?}");
                prop_assert!(twice.len() <= 8 && eight.len() <= 8);
            }
            // The targets depend on the probes in flight, and runs that would say nothing are left out of each.
            ("culprit", _) => prop_assert!(twice.len() <= eight.len(), "{} and {}", twice.len(), eight.len()),
            ("change", _) => prop_assert_eq!(targets(&eight), targets(&twice)),
            _ => {}
        }
    }

    #[test]
    fn asking_for_a_billion_returns_all_useful_probes(seed in any::<u64>()) {
        let mut play = Play::new(seed).expect("a search");
        for round in 0..3 {
            let count = play.ask(1_000_000_000).expect("k is no 0");
            prop_assert!(count <= MOST_IN_FLIGHT && play.flying.len() <= MOST_IN_FLIGHT, "{count} in round {round}");
            let waits = !play.flying.is_empty() || !play.search.reads().is_empty();
            prop_assert!(play.search.status() != Status::Running || waits);
            for _ in 0..play.flying.len().min(40) {
                play.tell().expect("an answer to what was asked");
            }
        }
    }

    #[test]
    fn new_probes_are_wanted(seed in any::<u64>()) {
        let mut play = Play::new(seed).expect("a search");
        let most = 1 + play.random.below(24) as usize;
        for _ in 0..60 {
            let free = most - play.flying.len();
            let before = play.flying.len();
            if free > 0 && !play.search.is_done() {
                let k = 1 + play.random.below(free as u64) as usize;
                play.ask(k).expect("k is no 0");
            }
            for probe in &play.flying[before..] {
                let is_wanted = play.search.wanted(probe.id).expect("it is in flight");
                let others: Vec<_> = play.flying.iter().map(|one| &one.target).collect();
                prop_assert!(is_wanted, "{:?} beside {others:?}: {:?}", probe.target, play.search.inspect().configuration());
            }
            if play.flying.is_empty() {
                break;
            }
            play.tell().expect("an answer to what was asked");
        }
    }
}
