//! Runs whose process is killed repeatedly, during writes and at any other moment.
//!
//! With `FIRSTBAD_KILLED=full`, a run of 10,000 probes is killed 200 times. Otherwise, the run is smaller.

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

/// Sends the parent a byte for each event, and waits for a byte before the next one. The parent sends no byte to a process that
/// it is about to kill. Without a parent, does not wait.
fn happened() {
    std::io::stderr().write_all(&[1]).unwrap();
    let _ = std::io::stdin().read(&mut [0]).unwrap();
}

/// The process that is killed. It resumes the run and plays to the end.
#[test]
fn player() {
    let Some(part) = crate::play::part() else { return };
    let (game, folder) = (Game::parse(&part[0]), PathBuf::from(&part[1]));
    let mut log = File::options().append(true).create(true).open(folder.join("log")).unwrap();
    // A single write stays complete if the process is killed.
    let mut note = |line: String| log.write_all(line.as_bytes()).unwrap();
    let mut session = game.session();
    let opening = session.attach(folder.join("run.jsonl"), &Options::default()).unwrap();
    note(format!("open {}\n", opening.torn));
    let mut flying = session.in_flight();
    while !session.is_done() {
        let is_lent = matches!(game, Game::Lent(_));
        let round = session.inspect().events(0).len() as u64;
        if flying.is_empty() {
            // A very short lease expires before the next question.
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

/// The log of a complete run.
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

/// Adds the remains of an interrupted write to the journal and returns their length.
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

/// Kills a game the given number of times, and then plays to the end.
fn killed(game: Game, kills: usize, seed: u64) -> (Value, Log) {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("run.jsonl");
    let start = || process("killed::player", &[&game.name(), folder.path().to_str().unwrap()]);
    // One moment for each question, and two for each outcome.
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
    // Each opening found the incomplete line. The kill itself may leave more bytes.
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
    // A kill separates an outcome from its record at most once.
    let runs: usize = log.runs.values().sum();
    assert!(runs <= view.runs() as usize + kills, "{runs} runs for {} answers", view.runs());
    assert_eq!(log.runs.len(), view.runs() as usize);
    // The journal has an outcome before the caller receives it, so each kill can remove at most one from the log.
    assert!(log.told + kills >= view.runs() as usize);
    (report(&view), log)
}

fn size(full: usize, small: usize) -> usize {
    if std::env::var("FIRSTBAD_KILLED").is_ok_and(|size| size == "full") { full } else { small }
}

#[test]
fn a_killed_run_repeats_nothing_and_has_the_same_result() {
    let game = Game::Linear(size(10_000, 500));
    let Game::Linear(probes) = game else { unreachable!() };
    let (found, log) = killed(game, size(200, 25), 1);
    assert_eq!(log.runs.len(), probes);
    assert_eq!(found, game.undisturbed());
}

#[test]
fn a_killed_run_with_leases_has_the_same_result() {
    let game = Game::Lent(size(10_000, 300));
    let (found, _) = killed(game, size(200, 15), 2);
    let undisturbed = game.undisturbed();
    for field in ["status", "points", "runs"] {
        assert_eq!(found[field], undisturbed[field], "{field}");
    }
}

#[test]
fn a_killed_search_with_repeats_finds_its_culprit() {
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
