//! Searches with a deterministic oracle, and processes that play them.
#![cfg_attr(not(unix), allow(dead_code, reason = "most of these tests need a Unix shell"))]

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use firstbad::{CommitGraph, Observation, Outcome, Probe, Search, World};
use firstbad_journal::{Options, Session};
use firstbad_testkit::simulated::Random;
use serde_json::{Value, json};

/// A search to play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Game {
    /// A linear regression search with this number of probes.
    Linear(usize),
    /// A linear regression search whose probes are leased, abandoned, and lost.
    Lent(usize),
    /// A culprit search with a very flaky test.
    Flaky,
    /// A reduction of many items.
    Minimize,
}

const SUSPECTS: usize = 200;
const BROKEN: usize = 120;
const ITEMS: usize = 600;

impl Game {
    pub(crate) fn parse(text: &str) -> Game {
        match text.split_once(' ') {
            Some(("linear", probes)) => Game::Linear(probes.parse().unwrap()),
            Some(("lent", probes)) => Game::Lent(probes.parse().unwrap()),
            _ if text == "flaky" => Game::Flaky,
            _ => Game::Minimize,
        }
    }

    pub(crate) fn name(self) -> String {
        match self {
            Game::Linear(probes) => format!("linear {probes}"),
            Game::Lent(probes) => format!("lent {probes}"),
            Game::Flaky => "flaky".into(),
            Game::Minimize => "minimize".into(),
        }
    }

    pub(crate) fn session(self) -> Session {
        let list = |n: usize| -> World {
            World::History(Arc::new(CommitGraph::linear((0..n).map(|i| format!("r{i}"))).unwrap()))
        };
        let opened = match self {
            Game::Linear(probes) | Game::Lent(probes) => {
                let configuration = json!({"bad": [format!("r{}", probes + 1)], "good": ["r0"], "test_endpoints": false, "search": "linear"});
                firstbad::open("regression", list(probes + 2), &configuration)
            }
            Game::Flaky => {
                let configuration = json!({
                    "bad": [format!("r{SUSPECTS}")], "flake_rate": 0.35, "false_pass_rate": 0.35, "confidence": 0.999_999,
                });
                firstbad::open("culprit", list(SUSPECTS + 1), &configuration)
            }
            Game::Minimize => firstbad::open("minimize", ITEMS, &json!({})),
        };
        Session::new(opened.unwrap())
    }

    pub(crate) fn attached(self, path: &Path) -> Session {
        let mut session = self.session();
        session.attach(path, &Options::default()).unwrap();
        session
    }

    /// Returns the outcome of the oracle.
    pub(crate) fn answer(self, probe: &Probe) -> Observation {
        let number = || probe.revision()[1..].parse::<usize>().unwrap();
        let holds = match self {
            Game::Linear(_) | Game::Lent(_) => number() == 0,
            Game::Flaky => (number() < BROKEN) != (Random::new(probe.id).below(100) < 35),
            Game::Minimize => (0..ITEMS).step_by(5).all(|item| probe.changes().unwrap().contains(item)),
        };
        if holds { Outcome::Pass } else { Outcome::Fail }.into()
    }

    /// Returns the key that must not be asked again after its outcome. If runs repeat, it is the probe itself.
    pub(crate) fn name_of(self, probe: &Probe) -> String {
        if self == Game::Flaky { format!("{} #{}", probe.target, probe.id) } else { probe.target.to_string() }
    }

    /// Plays to the end without a journal.
    pub(crate) fn undisturbed(self) -> Value {
        let mut session = self.session();
        while !session.is_done() {
            for probe in session.ask(3).unwrap() {
                session.tell(probe.id, self.answer(&probe)).unwrap();
            }
        }
        report(&session)
    }
}

pub(crate) fn report(session: &Session) -> Value {
    serde_json::from_str(&session.inspect().report_json().unwrap()).unwrap()
}

/// The variable that turns a test into a child process of another test.
const PART: &str = "FIRSTBAD_TEST_PART";

/// Returns a command that runs only `test` of this program, in which [`part`] returns its arguments.
pub(crate) fn process(test: &str, part: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]).env(PART, part.join("\n"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Returns the arguments of this child process.
pub(crate) fn part() -> Option<Vec<String>> {
    std::env::var(PART).ok().map(|part| part.split('\n').map(str::to_owned).collect())
}
