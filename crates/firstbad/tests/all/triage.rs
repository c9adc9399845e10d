//! The promises of triage.

mod examples;
mod world;

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::{
    Event, Observation, Outcome, Probe, Search, Status, TestVerdict, TriageConfig, TriageReport, TriageSearch, Verdict,
};
use proptest::prelude::*;

use self::world::World;
use crate::random::{Random, seeded};

/// A search in a world, with probes whose outcomes arrive in any order.
struct Play {
    world: World,
    search: TriageSearch,
    flying: Vec<Probe>,
    told: Vec<(Probe, Observation)>,
    random: Random,
}

impl Play {
    fn new(seed: u64) -> Play {
        let mut random = Random(seed);
        let world = World::random(&mut random);
        let config = world.config(&mut random);
        let search = TriageSearch::new(Arc::clone(&world.graph), config).expect("a valid configuration");
        Play { world, search, flying: Vec::new(), told: Vec::new(), random }
    }

    fn step(&mut self) {
        if self.flying.is_empty() || self.random.once_in(3) {
            let k = 1 + self.random.below(4);
            self.flying.extend(self.search.ask(k).expect("k is not 0"));
        }
        if self.flying.is_empty() {
            assert!(self.search.is_done(), "stuck in {:?}", self.search.report());
            return;
        }
        let probe = self.flying.swap_remove(self.random.below(self.flying.len()));
        if self.random.once_in(12) {
            self.search.abandon(probe.id).expect("it is in flight");
            return;
        }
        let seen = self.world.run(&self.search, &probe, &mut self.random);
        self.search.tell(probe.id, seen.clone()).expect("a first outcome");
        self.told.push((probe, seen));
    }

    fn finish(&mut self) -> TriageReport {
        let bound = 90 * (self.world.tests.len() + 1);
        while !self.search.is_done() || !self.flying.is_empty() {
            self.step();
            assert!(self.told.len() <= bound, "{} outcomes of {bound}", self.told.len());
        }
        self.search.report()
    }

    /// Returns the passes and failures of a test, by revision.
    fn seen(&self, id: &str) -> BTreeMap<String, (u32, u32)> {
        let mut seen: BTreeMap<String, (u32, u32)> = BTreeMap::new();
        // A run of the whole suite is a report, not a run of the search.
        for (probe, observation) in self.told.iter().filter(|(probe, _)| probe.target.tests.is_some()) {
            let Some(result) = observation.results.get(id) else { continue };
            let (passes, fails) = seen.entry(probe.revision().to_owned()).or_default();
            let (more_passes, more_fails) = result.counts();
            (*passes, *fails) = (*passes + more_passes, *fails + more_fails);
        }
        seen
    }
}

fn check_verdict(play: &Play, one: &TestVerdict) {
    let seen = play.seen(&one.id);
    let at = |id: &str| seen.get(id).copied().unwrap_or_default();
    let reported: BTreeMap<String, (u32, u32)> = one
        .observations
        .iter()
        .filter(|runs| runs.passes + runs.fails > 0)
        .map(|runs| (runs.revision.clone(), (runs.passes, runs.fails)))
        .collect();
    assert_eq!(
        reported,
        seen.iter().filter(|(_, runs)| **runs != (0, 0)).map(|(id, runs)| (id.clone(), *runs)).collect()
    );
    let graph = &play.world.graph;
    if let Verdict::Broken | Verdict::Intermittent = one.verdict {
        let culprit = graph.get(one.culprit.as_ref().expect("a culprit")).expect("a revision");
        assert!(at(graph.id(culprit)).1 > 0, "no failure at the culprit of {one:?}");
        for &parent in graph.parents(culprit) {
            assert!(at(graph.id(parent)).0 > 0, "no pass at {} of {one:?}", graph.id(parent));
        }
    }
    if one.verdict == Verdict::Flaky {
        assert!(seen.values().any(|(passes, _)| *passes > 0), "{one:?}");
    }
    if one.verdict == Verdict::Environment {
        assert!(at("r0").1 > 0 || seen.values().any(|(_, fails)| *fails > 0), "{one:?}");
    }
    assert_eq!(one.culprit.is_some(), matches!(one.verdict, Verdict::Broken | Verdict::Intermittent | Verdict::New));
    assert!(one.verdict != Verdict::BrokenIn || !one.candidates.is_empty());
    assert!(one.probability.is_none_or(|probability| (0.0..=1.0).contains(&probability)), "{one:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..seeded(400, 61) })]

    #[test]
    fn every_search_ends_and_reports_only_what_was_seen(seed in any::<u64>()) {
        let mut play = Play::new(seed);
        let report = play.finish();
        prop_assert!(report.status != Status::Running);
        prop_assert_eq!(report.observations.len(), play.told.len());
        for (one, (probe, seen)) in report.observations.iter().zip(&play.told) {
            prop_assert_eq!((&one.target, &one.observation), (&probe.target, seen));
        }
        for one in report.tests.iter().filter(|one| one.id != "(build)") {
            check_verdict(&play, one);
        }
        let named: usize = report.culprits.iter().map(|culprit| culprit.tests.len()).sum();
        prop_assert_eq!(named, report.tests.iter().filter(|one| one.culprit.is_some()).count());
    }

    #[test]
    fn a_restored_search_continues_as_the_first(seed in any::<u64>()) {
        let mut play = Play::new(seed);
        for _ in 0..play.random.below(30) {
            if !play.search.is_done() {
                play.step();
            }
        }
        let snapshot = play.search.inspect().snapshot().expect("JSON");
        let mut again = TriageSearch::restore(Arc::clone(&play.world.graph), &snapshot).expect("its own snapshot");
        prop_assert_eq!(again.inspect().snapshot().expect("JSON"), snapshot);
        prop_assert_eq!(again.report(), play.search.report());
        prop_assert_eq!(again.ask(3).expect("3"), play.search.ask(3).expect("3"));
        let events: Vec<Event> = play.search.inspect().events(0);
        let mut third = play.search.fresh().expect("it was opened before");
        for event in &events {
            third.apply(event).expect("its own event");
        }
        prop_assert_eq!(third.inspect().report_json().expect("JSON"), play.search.inspect().report_json().expect("JSON"));
    }

    #[test]
    fn undo_restores_the_state_before_an_outcome(seed in any::<u64>()) {
        let mut play = Play::new(seed);
        for _ in 0..play.random.below(25) {
            if !play.search.is_done() {
                play.step();
            }
        }
        play.flying.extend(play.search.ask(2).expect("2"));
        let Some(probe) = play.flying.pop() else { return Ok(()) };
        let before = play.search.report();
        let seen = play.world.run(&play.search, &probe, &mut play.random);
        play.search.tell(probe.id, seen).expect("a first outcome");
        play.search.undo(1).expect("there is one");
        prop_assert_eq!(play.search.report(), before);
    }

    /// The evidence is a sum, so that the order of outcomes changes no belief. Verdicts fall in order, so they may differ.
    #[test]
    fn the_order_of_outcomes_changes_no_evidence(seed in any::<u64>()) {
        let mut play = Play::new(seed);
        play.finish();
        let Ok(configuration) = play.search.inspect().configuration() else { return Ok(()) };
        let config: TriageConfig = serde_json::from_value(configuration).expect("its own configuration");
        let mut again = TriageSearch::new(Arc::clone(&play.world.graph), config).expect("a valid configuration");
        let (reports, mut told): (Vec<_>, Vec<_>) =
            play.told.iter().cloned().partition(|(probe, _)| probe.target.tests.is_none());
        for (probe, seen) in reports {
            again.observe(&probe.target, seen).expect("a known target");
        }
        while !told.is_empty() {
            let (probe, seen) = told.swap_remove(play.random.below(told.len()));
            again.observe(&probe.target, seen).expect("a known target");
        }
        let (one, other) = (play.search.report(), again.report());
        for (one, other) in one.tests.iter().zip(&other.tests) {
            prop_assert_eq!((&one.id, &one.observations), (&other.id, &other.observations));
        }
    }
}

/// The verdicts must occur, or the properties above check nothing.
#[test]
fn most_verdicts_occur() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..400 {
        let report = Play::new(seed).finish();
        report.tests.iter().for_each(|one| *counts.entry(one.verdict.as_str()).or_default() += 1);
        *counts.entry(report.status.as_str()).or_default() += 1;
    }
    for verdict in
        ["broken", "broken_in", "flaky", "failed_before", "environment", "infra", "undecided", "found", "untestable"]
    {
        assert!(counts.get(verdict).is_some_and(|&count| count >= 3), "{verdict}: {counts:?}");
    }
}

#[test]
fn a_bare_outcome_is_that_of_every_test() {
    let config = TriageConfig::new("r7", ["a", "b"]).good(["r0"]);
    let mut search = TriageSearch::new(world::line(8), config).unwrap();
    while !search.is_done() {
        let probe = search.ask(1).unwrap().remove(0);
        let place: usize = probe.revision()[1..].parse().unwrap();
        search.tell(probe.id, if place < 5 { Outcome::Pass } else { Outcome::Fail }.into()).unwrap();
    }
    let report = search.report();
    assert_eq!((report.status, report.culprits.len()), (Status::Found, 1));
    assert_eq!((&report.culprits[0].commit[..], report.culprits[0].tests.len()), ("r5", 2));
    assert!(report.culprits[0].parents_pass);
}
