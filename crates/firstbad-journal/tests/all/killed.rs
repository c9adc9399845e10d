//! Runs whose process is killed again and again, while it writes and at any other moment.
//!
//! With `FIRSTBAD_KILLED=full` it is a run of 10,000 probes that is killed 200 times; else a smaller one.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::play::{Game, process, report};
use firstbad::Search;
use firstbad_journal::{Options, Session, now, read};
use firstbad_testkit::simulated::Random;
use serde_json::Value;

/// One byte for the parent for each thing that happens, and one from it before the next: it has no more for a process
/// that it is about to kill. Without a parent's bytes nothing is waited for.
fn happened() {
    std::io::stderr().write_all(&[1]).unwrap();
    let _ = std::io::stdin().read(&mut [0]).unwrap();
}

/// The process that is killed: takes the run up where it is and goes on to its end.
#[test]
fn player() {
    let Some(part) = crate::play::part() else { return };
    let (game, folder) = (Game::parse(&part[0]), PathBuf::from(&part[1]));
    let mut log = File::options().append(true).create(true).open(folder.join("log")).unwrap();
    // In one piece, whenever it is killed.
    let mut note = |line: String| log.write_all(line.as_bytes()).unwrap();
    let mut session = game.session();
    let opening = session.attach(folder.join("run.jsonl"), &Options::default()).unwrap();
    note(format!("open {}\n", opening.torn));
    let mut flying = session.in_flight();
    while !session.is_done() {
        let is_lent = matches!(game, Game::Lent(_));
        let round = session.inspect().events(0).len() as u64;
        if flying.is_empty() {
            // What is lent for less than a moment comes back with the next question.
            let lease = is_lent.then_some(if round.is_multiple_of(5) { 1e-9 } else { 1e6 });
            flying = session.lend(3, lease).unwrap();
            happened();
        }
        for probe in std::mem::take(&mut flying) {
            match (is_lent, Random::new(round + probe.id).below(7)) {
                (true, 0) => session.abandon(probe.id).unwrap(),
                (true, 1) if session.leased_until(probe.id).is_some_and(|until| until < now() + 1e3) => {}
                _ => {
                    let name = game.name_of(&probe);
                    note(format!("run {name}\n"));
                    happened();
                    session.tell(probe.id, game.answer(&probe)).unwrap();
                    note(format!("told {name}\n"));
                }
            }
            happened();
        }
    }
    std::fs::write(folder.join("report.json"), session.inspect().report_json().unwrap()).unwrap();
}

/// What the log of a whole run says.
#[derive(Debug, Default)]
struct Log {
    told: usize,
    runs: HashMap<String, usize>,
    torn: Vec<usize>,
}

fn log(folder: &Path) -> Log {
    let mut log = Log::default();
    let mut told = HashSet::new();
    let text = std::fs::read_to_string(folder.join("log")).unwrap();
    for line in text.lines() {
        match line.split_once(' ').unwrap() {
            ("run", name) => {
                assert!(!told.contains(name), "{name} was told, and asked again");
                *log.runs.entry(name.to_owned()).or_default() += 1;
            }
            ("told", name) => assert!(told.insert(name), "{name} was told twice"),
            (_, torn) => log.torn.push(torn.parse().unwrap()),
        }
    }
    log.told = told.len();
    log
}

/// Leaves at the end of the journal what a write that did not end may leave; how many bytes.
fn tear(journal: &Path, random: &mut Random) -> usize {
    let Ok(text) = std::fs::read(journal) else { return 0 };
    if random.below(3) > 0 || !text.ends_with(b"\n") {
        return 0;
    }
    let last = text.strip_suffix(b"\n").unwrap().rsplit(|&byte| byte == b'\n').next().unwrap();
    let mut part = last[..random.below(last.len() as u64) as usize + 1].to_vec();
    part.resize(part.len() + random.below(2) as usize * 100, 0);
    File::options().append(true).open(journal).unwrap().write_all(&part).unwrap();
    part.len()
}

/// Kills a game so many times, and lets it come to its end.
fn killed(game: Game, kills: usize, seed: u64) -> (Value, Log) {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("run.jsonl");
    let start = || process("killed::player", &[&game.name(), folder.path().to_str().unwrap()]);
    // A question, and twice for each answer.
    let moments = game.undisturbed()["runs"].as_u64().unwrap() * 7 / 3;
    let mut random = Random::new(seed);
    let mut torn = vec![0];
    for kill in 0..kills {
        let mut player = start().stdin(Stdio::piped()).spawn().unwrap();
        let mut words = player.stderr.take().unwrap();
        let until = 1 + random.below(moments * 5 / 4 / kills as u64);
        player.stdin.as_mut().unwrap().write_all(&vec![1; until as usize + 1]).unwrap();
        let (mut seen, mut said) = (0, Vec::new());
        while seen < until {
            let mut word = [0];
            assert!(
                words.read(&mut word).unwrap() > 0,
                "kill {kill} came too late: {}",
                String::from_utf8_lossy(&said)
            );
            seen += u64::from(word[0] == 1);
            said.extend_from_slice(&word);
        }
        for spin in 0..random.below(20_000) {
            std::hint::black_box(spin);
        }
        player.kill().unwrap();
        player.wait().unwrap();
        torn.push(tear(&journal, &mut random));
    }
    let done = start().spawn().unwrap().wait_with_output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let log = log(folder.path());
    // Each time it was opened, what was torn was found; the kill itself may tear a little more.
    assert_eq!(log.torn.len(), kills + 1);
    for (found, torn) in log.torn.iter().zip(&torn) {
        assert!(found == torn || *torn == 0, "{found} bytes torn instead of {torn}");
    }
    let contents = read(&journal).unwrap();
    assert_eq!(contents.torn, 0);
    let world = contents.header.world(&journal, None).unwrap();
    let view = Session::view(&journal, &contents, world).unwrap();
    let written = std::fs::read_to_string(folder.path().join("report.json")).unwrap();
    assert_eq!(report(&view), serde_json::from_str::<Value>(&written).unwrap());
    // A kill comes between an answer and its record at most once.
    let runs: usize = log.runs.values().sum();
    assert!(runs <= view.runs() as usize + kills, "{runs} runs for {} answers", view.runs());
    assert_eq!(log.runs.len(), view.runs() as usize);
    // It is on record before the caller hears of it, so at most what was killed in between is missing in the log.
    assert!(log.told + kills >= view.runs() as usize);
    (report(&view), log)
}

fn size(full: usize, small: usize) -> usize {
    if std::env::var("FIRSTBAD_KILLED").is_ok_and(|size| size == "full") { full } else { small }
}

#[test]
fn a_killed_run_asks_nothing_again_and_ends_as_an_undisturbed_one() {
    let game = Game::Linear(size(10_000, 500));
    let Game::Linear(probes) = game else { unreachable!() };
    let (found, log) = killed(game, size(200, 25), 1);
    assert_eq!(log.runs.len(), probes);
    assert_eq!(found, game.undisturbed());
}

#[test]
fn a_killed_run_with_leases_ends_as_an_undisturbed_one() {
    let game = Game::Lent(size(10_000, 300));
    let (found, _) = killed(game, size(200, 15), 2);
    let undisturbed = game.undisturbed();
    for field in ["status", "points", "runs"] {
        assert_eq!(found[field], undisturbed[field], "{field}");
    }
}

#[test]
fn a_killed_search_with_repeats_ends_with_its_culprit() {
    let (found, log) = killed(Game::Flaky, size(40, 10), 3);
    assert!(log.told > 100);
    let undisturbed = Game::Flaky.undisturbed();
    for field in ["status", "culprit"] {
        assert_eq!(found[field], undisturbed[field], "{field}");
    }
}

#[test]
fn a_killed_reduction_ends_with_the_same_items() {
    let (found, log) = killed(Game::Minimize, size(40, 10), 4);
    assert!(log.told > 300);
    let undisturbed = Game::Minimize.undisturbed();
    for field in ["status", "kept", "guarantee"] {
        assert_eq!(found[field], undisturbed[field], "{field}");
    }
}
