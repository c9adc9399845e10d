//! After any operations and reopenings, a session is the search that its events define.

use std::path::Path;

use crate::play::report;
use firstbad::{Event, Observation, Outcome, Probe, Search, StopReason, Target};
use firstbad_journal::{Options, Session, read};
use proptest::prelude::*;
use serde_json::{Value, json};

const SIZE: usize = 12;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Regression,
    Culprit,
    /// A search without flakes, in which outcomes can be contradictory.
    Certain,
    Deflaked,
    Belief,
    Minimize,
}

const KINDS: [Kind; 6] = [Kind::Regression, Kind::Culprit, Kind::Certain, Kind::Deflaked, Kind::Belief, Kind::Minimize];

impl Kind {
    fn session(self) -> Session {
        let names: Vec<String> = (0..SIZE).map(|i| format!("r{i}")).collect();
        // A ladder, so that the history is not linear.
        let parents =
            |i: usize| [1, 4].into_iter().filter_map(move |step| i.checked_sub(step)).map(|p| names[p].clone());
        let graph = firstbad::CommitGraph::new((0..SIZE).map(|i| (names[i].clone(), parents(i).collect::<Vec<_>>())));
        let graph = std::sync::Arc::new(graph.unwrap());
        let bad = &names[SIZE - 1];
        let (algorithm, configuration) = match self {
            Kind::Regression => ("regression", json!({"bad": [bad], "good": ["r0"], "test_endpoints": false})),
            Kind::Culprit => ("culprit", json!({"bad": [bad], "flake_rate": 0.2})),
            Kind::Certain => ("culprit", json!({"bad": [bad], "flake_rate": 0.0})),
            Kind::Deflaked => ("culprit", json!({"bad": [bad], "flake_rate": 0.2, "strategy": "bisect", "reruns": 3})),
            Kind::Belief => (
                "regression",
                json!({"bad": [bad], "good": ["r0"], "test_endpoints": false, "search": "bayes", "flake_rate": 0.2}),
            ),
            Kind::Minimize => {
                return Session::new(firstbad::open("minimize", SIZE, &json!({"algorithm": "ddmin"})).unwrap());
            }
        };
        Session::new(firstbad::open(algorithm, graph, &configuration).unwrap())
    }

    fn target(self, place: usize) -> Target {
        match self {
            Kind::Minimize => (0..SIZE).filter(|item| place & 1 << item != 0).collect::<firstbad::ChangeSet>().into(),
            _ => format!("r{}", place % SIZE).into(),
        }
    }

    /// Returns consistent outcomes for most targets, so that searches progress.
    fn truth(self, target: &Target) -> Outcome {
        let fails = match self {
            Kind::Minimize => !target.changes.as_ref().is_some_and(|set| set.contains(3) && set.contains(8)),
            _ => target.revision.as_ref().is_some_and(|name| name[1..].parse::<usize>().unwrap() >= SIZE / 2),
        };
        if fails { Outcome::Fail } else { Outcome::Pass }
    }
}

#[derive(Debug, Clone)]
enum Step {
    Ask(usize, Option<f64>),
    /// Tells an outcome, possibly a wrong one, for a probe in flight or for any probe.
    Tell(usize, bool, u8),
    Abandon(usize),
    Observe(usize, u8),
    Enqueue(usize),
    Undo(u32),
    Stop,
    Resume,
    /// Closes the journal, removes bytes from its end, and opens it again.
    Reopen(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let lease = prop_oneof![Just(None), Just(Some(1e-9)), Just(Some(1e9))];
    prop_oneof![
        5 => (1..4_usize, lease).prop_map(|(k, lease)| Step::Ask(k, lease)),
        8 => (0..8_usize, prop::bool::weighted(0.9), 0..20_u8).prop_map(|(n, flying, luck)| Step::Tell(n, flying, luck)),
        1 => (0..8_usize).prop_map(Step::Abandon),
        1 => (0..1_usize << SIZE, 0..20_u8).prop_map(|(place, luck)| Step::Observe(place, luck)),
        2 => (0..1_usize << SIZE).prop_map(Step::Enqueue),
        1 => (0..4_u32).prop_map(Step::Undo),
        1 => Just(Step::Stop),
        1 => Just(Step::Resume),
        3 => prop_oneof![Just(0), 0..400_usize].prop_map(Step::Reopen),
    ]
}

/// The complete observable state of a search, including its next probes.
#[derive(Debug, PartialEq)]
struct Likeness {
    report: Value,
    events: Vec<Event>,
    in_flight: Vec<Probe>,
    runs: u64,
    next: Vec<Probe>,
}

/// Computing the state consumes the search.
fn likeness(mut session: Session) -> Likeness {
    // Opening a stopped search resumes it.
    session.resume().unwrap();
    Likeness {
        report: report(&session),
        events: session.inspect().events(0),
        in_flight: session.in_flight(),
        runs: session.runs(),
        next: (0..3).flat_map(|k| session.ask(k + 1).unwrap_or_default()).collect(),
    }
}

fn made_of(kind: Kind, events: &[Event]) -> Session {
    let mut session = kind.session();
    // Applies the events one by one.
    events.iter().for_each(|event| session.apply(event).unwrap());
    session
}

fn observation(kind: Kind, target: &Target, luck: u8) -> Observation {
    match luck {
        0 => Outcome::Unresolved,
        1 => Outcome::Pass,
        2 => Outcome::Fail,
        _ => kind.truth(target),
    }
    .into()
}

/// Performs one operation. An invalid operation is an error and changes nothing.
fn take(kind: Kind, session: &mut Session, step: &Step, asked: &mut Vec<Probe>) {
    match step {
        Step::Ask(k, lease) => asked.extend(session.lend(*k, *lease).unwrap()),
        Step::Tell(n, flying, luck) => {
            let probes = if *flying { session.in_flight() } else { asked.clone() };
            if let Some(probe) = probes.get(n % probes.len().max(1)) {
                let _ = session.tell(probe.id, observation(kind, &probe.target, *luck));
            }
        }
        Step::Abandon(n) => {
            let probes = session.in_flight();
            if let Some(probe) = probes.get(n % probes.len().max(1)) {
                session.abandon(probe.id).unwrap();
            }
        }
        Step::Observe(place, luck) => {
            let target = kind.target(*place);
            let _ = session.observe(&target, observation(kind, &target, *luck));
        }
        Step::Enqueue(place) => {
            let _ = session.enqueue(&kind.target(*place));
        }
        Step::Undo(answers) => {
            let _ = session.undo(*answers);
        }
        Step::Stop => session.stop(StopReason::Stopped).unwrap(),
        Step::Resume => session.resume().unwrap(),
        Step::Reopen(_) => {}
    }
}

/// Cuts the end of the journal, but not its header.
fn cut(path: &Path, bytes: usize) {
    let text = std::fs::read(path).unwrap();
    let header = text.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let left = text.len().saturating_sub(bytes).max(header);
    std::fs::File::options().write(true).open(path).unwrap().set_len(left as u64).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_session_is_defined_by_its_events(
        kind in prop::sample::select(&KINDS[..]),
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let attached = || {
            let mut session = kind.session();
            session.attach(&path, &Options::default()).map(|_| session)
        };
        let mut session = attached().unwrap();
        let mut asked = Vec::new();
        for step in steps.iter().chain([&Step::Reopen(0)]) {
            if let Step::Reopen(bytes) = step {
                let (before, live) = (session.inspect().events(0), told(&mut session));
                drop(session);
                cut(&path, *bytes);
                session = attached().unwrap();
                let after = session.inspect().events(0);
                // Resuming a stopped run adds events.
                let taken_up = |event: &&Event| matches!(event, Event::Resumed | Event::Budgeted { .. });
                let earlier = after.len() - after.iter().rev().take_while(taken_up).count();
                let same = after.iter().zip(&before).take_while(|(one, other)| one == other).count();
                prop_assert!(earlier <= same && same <= before.len());
                if *bytes == 0 {
                    prop_assert_eq!(same, before.len());
                    prop_assert_eq!(live, told(&mut session));
                }
                asked.retain(|probe: &Probe| probe.id < probes(&after));
            } else {
                take(kind, &mut session, step, &mut asked);
            }
            let written: Vec<Event> = read(&path).unwrap().records.into_iter().map(|record| record.event).collect();
            prop_assert_eq!(written, session.inspect().events(0));
        }
    }

    /// Without files: a search that is replayed at any moment has the same state and continues in the same way.
    #[test]
    fn a_replayed_search_continues_the_same_way(
        kind in prop::sample::select(&KINDS[..]),
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let mut session = kind.session();
        let mut asked = Vec::new();
        // Leases depend on the clock.
        let steps = steps.into_iter().map(|step| if let Step::Ask(k, _) = step { Step::Ask(k, None) } else { step });
        for step in steps {
            take(kind, &mut session, &step, &mut asked);
        }
        let events = session.inspect().events(0);
        let one_by_one = likeness(made_of(kind, &events));
        let mut at_once = kind.session();
        at_once.apply_all(&mut events.iter()).unwrap();
        prop_assert_eq!(&one_by_one, &likeness(at_once));
        prop_assert_eq!(likeness(session), one_by_one);
    }
}

/// Returns the number of probes in these events.
fn probes(events: &[Event]) -> u64 {
    events.iter().filter(|event| matches!(event, Event::Asked { .. })).count() as u64
}

/// Returns the observable state of a search without consuming it.
fn told(session: &mut Session) -> (Value, Vec<Probe>, u64) {
    // Opening a stopped search resumes it.
    session.resume().unwrap();
    (report(session), session.in_flight(), session.runs())
}
