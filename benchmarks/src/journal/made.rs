//! Journals of a given length, made without waiting for the disk at each event.

use std::path::Path;
use std::sync::Arc;

use firstbad::{CommitGraph, Observation, Outcome, Probe, Search, World};
use firstbad_journal::{Options, Record, Session, now};
use serde_json::{Value, json};

/// How many events the largest journals hold.
pub(super) const EVENTS: usize = 100_000;

/// A search that goes on for long enough.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) algorithm: &'static str,
    pub(super) configuration: Value,
    pub(super) world: World,
    pub(super) oracle: fn(&Probe) -> Observation,
    /// How many are asked at once.
    pub(super) jobs: usize,
}

/// The same numbers every time.
fn scrambled(seed: u64) -> u64 {
    let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 11
}

fn id(number: usize) -> String {
    format!("{number:040x}")
}

fn history(revisions: usize) -> World {
    World::History(Arc::new(CommitGraph::linear((0..revisions).map(id)).unwrap_or_else(|error| panic!("{error}"))))
}

/// A list of so many revisions, gone through one by one.
pub(super) fn list(revisions: usize, jobs: usize) -> Case {
    Case {
        name: "a regression search one by one",
        algorithm: "regression",
        configuration: json!({"bad": [id(revisions - 1)], "good": [id(0)], "search": "linear"}),
        world: history(revisions),
        oracle: |_| Observation {
            seconds: Some(12.25),
            note: Some("exit code 1".into()),
            ..Observation::new(Outcome::Fail)
        },
        jobs,
    }
}

/// What is resumed.
pub(super) fn cases() -> Vec<Case> {
    const ITEMS: usize = 2_000;
    let coin = |probe: &Probe| -> Observation {
        if scrambled(probe.id).is_multiple_of(2) { Outcome::Fail } else { Outcome::Pass }.into()
    };
    vec![
        list(EVENTS / 2 + 1, 4),
        Case { name: "a regression search one by one, all asked at once", ..list(EVENTS / 2 + 1, EVENTS / 2) },
        Case {
            name: "a culprit search among 1,000 revisions",
            algorithm: "culprit",
            configuration: json!({
                "bad": [id(1000)], "flake_rate": 0.49, "false_pass_rate": 0.49, "confidence": 1.0 - 1e-15,
            }),
            world: history(1001),
            oracle: coin,
            jobs: 4,
        },
        Case {
            name: "a reduction of 2,000 items",
            algorithm: "minimize",
            configuration: json!({"algorithm": "ddmin", "guarantee": "1-minimal"}),
            world: World::Items(ITEMS),
            // Every tenth item is needed.
            oracle: |probe| {
                let holds = probe.changes().is_some_and(|set| (0..ITEMS).step_by(10).all(|item| set.contains(item)));
                if holds { Outcome::Pass } else { Outcome::Fail }.into()
            },
            jobs: 4,
        },
    ]
}

impl Case {
    pub(super) fn session(&self, world: World) -> Result<Session, String> {
        let opened = firstbad::open(self.algorithm, world, &self.configuration);
        Ok(Session::new(opened.map_err(|error| error.to_string())?))
    }

    /// Writes a journal of at most so many events, and says how many.
    pub(super) fn write(&self, path: &Path, events: usize) -> Result<usize, String> {
        let words = |error: firstbad::Error| error.to_string();
        let mut session = self.session(self.world.clone())?;
        session.attach(path, &Options::default()).map_err(words)?;
        drop(session);
        let mut session = self.session(self.world.clone())?;
        let mut written = 0;
        while written < events && !session.is_done() {
            for probe in session.ask(self.jobs.min((events - written).div_ceil(2))).map_err(words)? {
                session.tell(probe.id, (self.oracle)(&probe)).map_err(words)?;
                written += 2;
            }
        }
        let mut text = std::fs::read(path).map_err(|error| error.to_string())?;
        for event in session.inspect().events(0) {
            let record = Record { event, at: now(), until: None, continues: false, facts: None };
            serde_json::to_writer(&mut text, &record).map_err(|error| error.to_string())?;
            text.push(b'\n');
        }
        std::fs::write(path, &text).map_err(|error| error.to_string())?;
        Ok(session.inspect().events(0).len())
    }
}
