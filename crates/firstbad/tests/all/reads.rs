//! Searches that read data between tests and nest other algorithms.

use std::sync::Arc;

use firstbad::{AskTell, Budget, CommitGraph, Error, Event, Observation, Outcome, Read, Request, Search, Status};
use firstbad_testkit::walk_back::{self, WalkBack, WalkBackReport, WalkBackStep};
use serde_json::json;

/// Revisions r0 to r4. Each adds ten lines to the file, and some of these lines break the parent together.
fn graph() -> Arc<CommitGraph> {
    Arc::new(CommitGraph::linear((0..5).map(|number| format!("r{number}"))).unwrap())
}

fn search() -> AskTell<WalkBack> {
    walk_back::open(graph(), "r4", 3).unwrap()
}

/// Returns the diff that a repository would give.
fn content(read: &Read) -> Vec<u8> {
    let Request::Diff { from, .. } = &read.request else { panic!("{read:?}") };
    let from = from.to_string();
    if from == "r2" {
        return Vec::new();
    }
    let lines: String = (0..10).map(|line| format!("+{from} {line}\n")).collect();
    format!("diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,0 +1,10 @@\n{lines}").into_bytes()
}

/// Lines 3 and 7 together break r3. r1 always passes, after a conflict.
fn answer(probe: &firstbad::Probe) -> Observation {
    let kept = probe.changes().unwrap();
    match probe.revision() {
        "r3" if kept.contains(3) && kept.contains(7) => Outcome::Fail.into(),
        "r3" if kept.contains(3) => Observation { ran: false, ..Outcome::Unresolved.into() },
        _ => Outcome::Pass.into(),
    }
}

/// Performs one step of a driver. Returns false at the end.
fn step(search: &mut dyn Search) -> bool {
    if let Some(read) = search.reads().first() {
        assert_eq!(search.ask(1).unwrap(), [], "it waits for what it has to see");
        search.give(read.id, &content(read)).unwrap();
        return true;
    }
    let probe = search.in_flight().into_iter().next().or_else(|| search.ask(1).unwrap().pop());
    if let Some(probe) = &probe {
        search.tell(probe.id, answer(probe)).unwrap();
    }
    probe.is_some()
}

fn report(search: &dyn Search) -> WalkBackReport {
    serde_json::from_str(&search.inspect().report_json().unwrap()).unwrap()
}

#[test]
fn a_search_can_read_change_universes_and_nest_a_reduction() {
    let mut search = search();
    let open = search.reads();
    assert_eq!(open, [Read { id: 0, request: Request::Diff { from: "r3".into(), to: "r4".into() } }]);
    assert_eq!(serde_json::to_value(&open[0]).unwrap(), json!({"id": 0, "read": "diff", "from": "r3", "to": "r4"}));
    let patched = json!({"read": "diff", "from": "r2", "to": {"revision": "r3", "changes": "1-2", "universe": 0}});
    let request: Request = serde_json::from_value(patched.clone()).unwrap();
    assert_eq!(serde_json::to_value(&request).unwrap(), patched);
    assert_eq!(request.to_string(), r#"the patch from "r2" to "changes 1-2 of read 0 on r3""#);
    while step(&mut search) {}
    let found = report(&search);
    assert_eq!(found.status, Status::Found);
    let step = |revision: &str, changes, kept| WalkBackStep { revision: revision.into(), changes, kept };
    assert_eq!(found.steps, [step("r4", 10, Some(vec![3, 7])), step("r3", 0, None), step("r2", 10, None)]);
    // All probes share one numbering, and each names the read of its changes.
    let universes: Vec<Option<u64>> = found.observations.iter().map(|one| one.target.universe).collect();
    assert!(universes.contains(&Some(0)) && universes.contains(&Some(2)) && !universes.contains(&Some(1)));
    let ids: Vec<u64> = found.observations.iter().map(|one| one.probe.unwrap()).collect();
    assert_eq!(ids, (0..ids.len() as u64).collect::<Vec<_>>());
    // Outcomes without a run are counted separately.
    let free = found.observations.iter().filter(|one| !one.observation.ran).count() as u64;
    assert!(free > 0);
    assert_eq!((search.asked(), search.runs()), (ids.len() as u64, ids.len() as u64 - free));
}

#[test]
fn outcomes_without_a_run_use_no_budget() {
    let mut whole = search();
    while step(&mut whole) {}
    let mut search = search();
    search.set_budget(Budget { runs: Some(whole.runs()), cost: Some(1.0), ..Budget::default() }).unwrap();
    while step(&mut search) {}
    assert_eq!(report(&search), report(&whole));
    search.set_budget(Budget { runs: Some(3), ..Budget::default() }).unwrap();
    let mut short = self::search();
    short.set_budget(Budget { runs: Some(3), ..Budget::default() }).unwrap();
    while step(&mut short) {}
    assert_eq!((short.status(), short.runs()), (Status::Budget, 3));
}

/// A search that is killed after any event continues from its events or a snapshot without reading data again.
#[test]
fn a_search_resumes_after_any_event() {
    let mut whole = search();
    while step(&mut whole) {}
    let events = whole.inspect().events(0);
    assert!(events.iter().any(|event| matches!(event, Event::Read { .. })));
    for count in 0..=events.len() {
        let text = serde_json::to_string(&events[..count]).unwrap();
        let events_read: Vec<Event> = serde_json::from_str(&text).unwrap();
        let (mut one, mut at_once) = (search(), search());
        events_read.iter().for_each(|event| one.apply(event).unwrap());
        at_once.apply_all(&mut events_read.iter()).unwrap();
        let snapshot = one.inspect().snapshot().unwrap();
        let restored = AskTell::<WalkBack>::restore(graph(), &snapshot).unwrap();
        for mut search in [one, at_once, restored] {
            assert_eq!(search.inspect().events(0), events[..count]);
            while step(&mut search) {}
            assert_eq!(report(&search), report(&whole), "after {count} events");
        }
    }
}

/// Undo keeps contents and the ids of reads.
#[test]
fn contents_survive_undo() {
    let mut search = search();
    while step(&mut search) {}
    let before = report(&search);
    search.undo(u32::try_from(before.asked).unwrap()).unwrap();
    assert_eq!((search.reads(), search.status(), search.asked()), (Vec::new(), Status::Running, 0));
    while step(&mut search) {}
    let after = report(&search);
    assert_eq!((&after.steps, after.runs), (&before.steps, before.runs));
    let reads = |search: &dyn Search| {
        search.inspect().events(0).iter().filter(|event| matches!(event, Event::Read { .. })).count()
    };
    assert_eq!(reads(&search), 3);
}

#[test]
fn unsuitable_contents_are_rejected_without_effect() {
    let mut search = search();
    let before = search.inspect().events(0);
    assert_eq!(search.give(1, b"").unwrap_err().code(), "unknown_read");
    assert_eq!(search.give(0, b"diff --git a/f\n").unwrap_err().code(), "patch_syntax");
    assert_eq!((search.inspect().events(0), search.reads().len()), (before, 1));
    let read = search.reads().remove(0);
    assert_eq!(search.inspect().universe(0), None, "it was given nothing yet");
    search.give(0, &content(&read)).unwrap();
    search.give(0, &content(&read)).unwrap();
    let (request, given) = search.inspect().universe(0).unwrap();
    assert_eq!((&request, given.bytes()), (&read.request, &content(&read)[..]));
    assert_eq!(search.inspect().universe(9), None);
    assert_eq!(search.inspect().event_count(), 1, "twice the same leaves no trace");
    assert!(matches!(search.give(0, b""), Err(Error::Contradiction { .. })));
    let mut regression = firstbad::open("regression", graph(), &json!({"bad": ["r4"]})).unwrap();
    assert_eq!((regression.reads().len(), regression.give(0, b"").unwrap_err().code()), (0, "unknown_read"));
}

#[test]
fn events_without_their_contents_are_rejected() {
    let mut search = search();
    let read = search.reads().remove(0);
    search.give(0, &content(&read)).unwrap();
    let Event::Read { id, digest, .. } = search.inspect().events(0).remove(0) else { panic!("a read") };
    let bare = Event::Read { id, digest: digest.clone(), content: None };
    assert_eq!(serde_json::to_value(&bare).unwrap(), json!({"event": "read", "id": 0, "digest": digest}));
    let mut other = self::search();
    assert!(other.apply(&bare).unwrap_err().to_string().contains("is missing"));
    let mut event = serde_json::to_value(search.inspect().events(0).remove(0)).unwrap();
    event["digest"] = json!("0".repeat(64));
    let changed: Event = serde_json::from_value(event).unwrap();
    assert!(other.apply(&changed).unwrap_err().to_string().contains("has the digest"));
}

/// Budgets and resumptions are events, so a replay includes them.
#[test]
fn a_replay_includes_budgets_and_resumptions() {
    let mut search = walk_back::open(graph(), "r4", 1).unwrap();
    search.stop(firstbad::StopReason::Budget).unwrap();
    search.set_budget(Budget { runs: Some(5), ..Budget::default() }).unwrap();
    assert_eq!(search.status(), Status::Running);
    let names = |search: &dyn Search| -> Vec<String> {
        let name = |event: &Event| serde_json::to_value(event).unwrap()["event"].as_str().unwrap().to_owned();
        search.inspect().events(0).iter().map(name).collect()
    };
    assert_eq!(names(&search), ["stopped", "budgeted", "resumed"]);
    let snapshot = search.inspect().snapshot().unwrap();
    let restored = AskTell::<WalkBack>::restore(graph(), &snapshot).unwrap();
    assert_eq!((restored.status(), names(&restored)), (Status::Running, names(&search)));
    search.set_budget(Budget { runs: Some(5), ..Budget::default() }).unwrap();
    search.resume().unwrap();
    assert_eq!(names(&search).len(), 3, "what changes nothing is no event");
}
