//! Small runs with all files that accompany a journal, for tests of failing disks and power cuts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use firstbad::{CommitGraph, Error, Event, Outcome, Request, Search};
use firstbad_testkit::disk::{Image, in_memory};
use firstbad_testkit::walk_back;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::recorder::{Promise, Recorder};
use crate::{Options, Session, Test, read};

/// The searches to play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scene {
    /// A search among revisions, with the graph in a file next to the journal.
    Revisions,
    /// A search that reads differences, which are in a folder next to the journal.
    Reads,
}

pub(super) const SCENES: [Scene; 2] = [Scene::Revisions, Scene::Reads];

impl Scene {
    pub(super) fn session(self) -> Session {
        let graph = |size: usize| Arc::new(CommitGraph::linear((0..size).map(|number| format!("r{number}"))).unwrap());
        Session::new(match self {
            Scene::Revisions => {
                let configuration = json!({"bad": ["r7"], "good": ["r0"], "test_endpoints": false, "search": "linear"});
                firstbad::open("regression", graph(8), &configuration).unwrap()
            }
            Scene::Reads => Box::new(walk_back::open(graph(4), "r3", 1).unwrap()),
        })
    }

    /// Performs the next step of a driver. Returns false at the end.
    fn step(self, session: &mut Session) -> Result<bool, Error> {
        if let Some(found) = session.reads().first() {
            let Request::Diff { from, .. } = &found.request else { panic!("{found:?}") };
            let lines: String = (0..6).map(|line| format!("+{from} {line}\n")).collect();
            let diff = format!("diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,0 +1,6 @@\n{lines}");
            return session.give(found.id, diff.as_bytes()).map(|()| true);
        }
        if let Some(probe) = session.in_flight().first() {
            let fails = match self {
                Scene::Revisions => true,
                Scene::Reads => probe.changes().unwrap().contains(4),
            };
            return session.tell(probe.id, if fails { Outcome::Fail } else { Outcome::Pass }.into()).map(|()| true);
        }
        session.ask(3).map(|probes| !probes.is_empty())
    }

    /// Returns the result without a journal.
    pub(super) fn undisturbed(self) -> String {
        let mut session = self.session();
        while self.step(&mut session).unwrap() {}
        found(&session)
    }
}

/// Returns the result of a search. Requests for data are left out, because they depend on the losses.
fn found(session: &Session) -> String {
    let mut report: Value = serde_json::from_str(&session.inspect().report_json().unwrap()).unwrap();
    strip(&mut report);
    report.to_string()
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|field, _| !["probe", "asked", "runs", "observations"].contains(&field.as_str()));
            fields.values_mut().for_each(strip);
        }
        Value::Array(values) => {
            values.iter_mut().for_each(strip);
            values.sort_by_key(Value::to_string);
        }
        _ => {}
    }
}

/// The result of a run.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) events: Vec<Event>,
    pub(super) found: String,
    /// The errors during the run.
    pub(super) errors: Vec<String>,
    /// The contents of the journal when it was opened.
    pub(super) opened: Promise,
}

/// A folder with a journal on a [`Recorder`].
pub(super) struct Place {
    folder: PathBuf,
    pub(super) disk: Arc<Recorder>,
    _above: TempDir,
}

impl Place {
    pub(super) fn new(start: &Image) -> Place {
        let above = tempfile::tempdir_in(in_memory()).unwrap();
        let folder = above.path().canonicalize().unwrap().join("folder");
        std::fs::create_dir(&folder).unwrap();
        start.make(&folder);
        Place { disk: Arc::new(Recorder::over(start, &folder)), folder, _above: above }
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.folder.join("run.jsonl")
    }

    fn attached(&self, scene: Scene) -> Result<(Session, Promise), Error> {
        let mut session = scene.session();
        session.attach_on(Arc::clone(&self.disk) as _, &self.journal(), &Options::default())?;
        // Another reader needs the history next to the journal.
        session.header().unwrap().world(&self.journal(), None)?;
        let opened = promise(&session);
        Ok((session, opened))
    }

    /// Plays to the end and repeats failed steps, at most `patience` times.
    ///
    /// # Errors
    /// The next error after that, at which the run was killed.
    pub(super) fn play(&self, scene: Scene, mut patience: usize) -> Result<Played, Error> {
        let mut errors = Vec::new();
        let mut endured = |error: Error| -> Result<(), Error> {
            patience = patience.checked_sub(1).ok_or_else(|| error.clone())?;
            assert_eq!(error.code(), "journal");
            errors.push(error.to_string());
            Ok(())
        };
        let (mut session, opened) = loop {
            match self.attached(scene) {
                Ok(attached) => break attached,
                Err(error) => endured(error)?,
            }
        };
        let test = Test::Command(json!({"command": ["make", "test"]}));
        self.disk.promise(promise(&session));
        loop {
            let (runs, kept) = (session.runs(), promise(&session));
            let done = match session.inspect().event_count() >= 3 && !kept.has_test {
                true => session.tested_by(&test).map(|()| true),
                false => scene.step(&mut session),
            };
            match done {
                Ok(goes_on) => {
                    self.disk.promise(promise(&session));
                    if !goes_on {
                        break;
                    }
                }
                Err(error) => {
                    endured(error)?;
                    assert!(session.runs() >= runs, "an outcome was lost");
                    check_others_can_read(&self.journal(), &session.inspect().events(0));
                }
            }
        }
        let (events, found) = (session.inspect().events(0), found(&session));
        Ok(Played { events, found, errors, opened })
    }
}

/// Checks that the journal is readable after an error.
fn check_others_can_read(journal: &Path, events: &[Event]) {
    let records = read(journal).unwrap().records;
    assert!(
        records.iter().zip(events).all(|(record, event)| same(&record.event, event)) && records.len() <= events.len()
    );
}

/// Returns whether two events are the same, ignoring read contents, which one of them may have on disk.
fn same(one: &Event, other: &Event) -> bool {
    one == other || matches!((one, other), (Event::Read { id, .. }, Event::Read { id: other, .. }) if id == other)
}

fn promise(session: &Session) -> Promise {
    let has_test = session.header().is_some_and(|header| !header.test.is_null());
    Promise { events: session.inspect().event_count(), has_test }
}

/// Opens the remains of a power cut and plays to the end.
///
/// # Errors
/// The data that was lost.
pub(super) fn check_left(
    scene: Scene,
    image: &Image,
    promised: Option<Promise>,
    events: &[Event],
    undisturbed: &str,
) -> Result<(), String> {
    let place = Place::new(image);
    let played = place.play(scene, 0).map_err(|error| error.to_string())?;
    let Promise { events: had, has_test } = played.opened;
    let promised = promised.unwrap_or_default();
    if had < promised.events || promised.has_test && !has_test {
        return Err(format!("{promised:?} was promised, and {:?} is there", played.opened));
    }
    if had > events.len() || !played.events[..had].iter().zip(events).all(|(one, other)| same(one, other)) {
        return Err("the file does not have the recorded events".to_owned());
    }
    if played.found != undisturbed {
        return Err(format!("{} instead of {undisturbed}", played.found));
    }
    Ok(())
}
