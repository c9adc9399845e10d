//! Searches with reads, whose contents are stored next to the journal.

use std::path::Path;
use std::sync::Arc;

use firstbad::{CommitGraph, Error, Event, Outcome, Read, Request, Search};
use firstbad_journal::{Options, Session, read};
use firstbad_testkit::journal::resealed;
use firstbad_testkit::walk_back;

fn session() -> Session {
    let graph = CommitGraph::linear((0..4).map(|number| format!("r{number}"))).unwrap();
    Session::new(Box::new(walk_back::open(Arc::new(graph), "r3", 2).unwrap()))
}

fn attached(path: &Path) -> Result<Session, Error> {
    let mut session = session();
    session.attach(path, &Options::default()).map(|_| session)
}

fn content(read: &Read) -> Vec<u8> {
    let Request::Diff { from, .. } = &read.request else { panic!("{read:?}") };
    let lines: String = (0..6).map(|line| format!("+{from} {line}\n")).collect();
    format!("diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,0 +1,6 @@\n{lines}").into_bytes()
}

/// Performs one step of a driver: provides a read, tells an outcome, or asks. Returns false at the end.
fn step(session: &mut Session) -> bool {
    if let Some(read) = session.reads().first() {
        session.give(read.id, &content(read)).unwrap();
        return true;
    }
    if let Some(probe) = session.in_flight().first() {
        let holds = probe.changes().unwrap().contains(4);
        session.tell(probe.id, if holds { Outcome::Fail } else { Outcome::Pass }.into()).unwrap();
        return true;
    }
    !session.ask(1).unwrap().is_empty()
}

fn report(session: &Session) -> String {
    session.inspect().report_json().unwrap()
}

#[test]
fn a_run_killed_after_every_event_has_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let mut alone = session();
    while step(&mut alone) {}
    let path = folder.path().join("run.jsonl");
    let mut events = 0;
    loop {
        // The session is dropped as after a kill. Everything that the caller received is on disk.
        let mut session = attached(&path).unwrap();
        assert_eq!(session.inspect().event_count(), events);
        let goes_on = step(&mut session);
        events = session.inspect().event_count();
        drop(session);
        if !goes_on {
            break;
        }
    }
    let session = attached(&path).unwrap();
    assert_eq!(report(&session), report(&alone));
    assert_eq!(session.inspect().events(0), alone.inspect().events(0));
    let lines = std::fs::read_to_string(&path).unwrap();
    assert!(lines.contains(r#""event":"read""#) && !lines.contains("content"), "contents lie beside the journal");
    assert_eq!(std::fs::read_dir(folder.path().join("run.jsonl.reads")).unwrap().count(), 2);
}

#[test]
fn missing_or_changed_contents_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut session = attached(&path).unwrap();
    while step(&mut session) {}
    drop(session);
    let Event::Read { digest, .. } = read(&path).unwrap().records.remove(0).event else { panic!("a read comes first") };
    let file = folder.path().join("run.jsonl.reads").join(&digest);
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, "something else").unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("the content of read 0 has changed"));
    std::fs::remove_file(&file).unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("cannot be read"));
    std::fs::write(&file, bytes).unwrap();
    read(&path).unwrap();
    // An untrusted journal cannot name a file outside its folder.
    let text = std::fs::read_to_string(&path).unwrap().replace(&digest, "../../../../etc/passwd");
    std::fs::write(&path, resealed(&text)).unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("the digest of read 0 is not valid"));
}

#[test]
fn a_resumed_run_has_no_earlier_budget() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut session = attached(&path).unwrap();
    session.set_budget(firstbad::Budget { runs: Some(2), ..firstbad::Budget::default() }).unwrap();
    while step(&mut session) {}
    assert_eq!((session.status(), session.runs()), (firstbad::Status::Budget, 2));
    drop(session);
    let mut session = attached(&path).unwrap();
    assert_eq!(session.status(), firstbad::Status::Running);
    while step(&mut session) {}
    assert_eq!(session.status(), firstbad::Status::Found);
    let events = session.inspect().events(0);
    drop(session);
    let written: Vec<Event> = read(&path).unwrap().records.into_iter().map(|record| record.event).collect();
    assert_eq!(written, events);
}
