//! Tests of signals.

use std::collections::BTreeSet;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use super::scene::{Ran, Scene};

/// Returns whether a process lives and is not a zombie.
fn lives(pid: &str) -> bool {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    let state = text.rfind(')').and_then(|end| text[end + 2..].chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

/// Waits until a condition holds.
pub(crate) fn soon(what: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !what() {
        assert!(Instant::now() < deadline, "it does not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub(crate) fn send(signal: &str, child: &Child) {
    // The `kill` of procps does not know HUP in a Turkish locale.
    let mut kill = Command::new("kill");
    let sent = kill.env("LC_ALL", "C").args(["-s", signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Returns a test that hangs from its fourth run on, with child processes.
fn endless(scene: &Scene) -> String {
    scene.script(
        "if [ -e block ] && [ \"$(cat asked 2>/dev/null | wc -l)\" -ge 3 ]; then\n\
         sleep 600 & echo $$ $! >> pids; while :; do sleep 1; done\nfi",
    )
}

#[test]
fn a_signal_stops_the_run_and_the_journal_resumes() {
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let scene = Scene::line(200, 77);
        scene.write("block", "");
        let script = endless(&scene);
        let (good, bad) = scene.ends();
        let arguments = ["run", "--json", "--jobs", "2", "--good", &good, "--bad", &bad, "--", "sh", "-c", &script];
        let child = scene.command(&arguments).spawn().unwrap();
        soon(|| scene.read("pids").lines().count() >= 2);
        let began = Instant::now();
        send(signal, &child);
        let ran = Ran::of(&child.wait_with_output().unwrap());
        println!("SIG{signal}: {:?}", began.elapsed());
        assert_eq!(ran.code, 128 + number, "{}", ran.words);
        for pid in scene.read("pids").split_whitespace() {
            assert!(!lives(pid), "{pid} is still there");
        }
        assert_eq!(scene.work_trees(), Vec::<std::path::PathBuf>::new());
        let journal = &scene.own_journals()[0];
        assert!(ran.words.contains("to resume: firstbad run --resume"), "{}", ran.words);
        let answered = scene.asked();
        // A stopped run can have recorded its revision.
        let runs = usize::try_from(ran.answer["runs"].as_u64().unwrap()).unwrap();
        let useless = answered.len() - runs;
        assert!(useless <= 1, "{runs} of {answered:?}");
        let text = std::fs::read_to_string(journal).unwrap();
        let ids = |events: &[&str]| -> BTreeSet<u64> {
            let records = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
            let chosen = records.filter(|record| events.iter().any(|event| record["event"] == *event));
            chosen.filter_map(|record| record["id"].as_u64()).collect()
        };
        assert_eq!(ids(&["asked"]), ids(&["told", "abandoned"]), "{text}");

        std::fs::remove_file(scene.path("block")).unwrap();
        let on = scene.program(&["run", "--json", "--journal", journal.to_str().unwrap()]);
        assert_eq!(on.found(), (0, vec![scene.sha(77)]), "{}", on.words);
        let asked = scene.asked();
        assert!(asked.len() - asked.iter().collect::<BTreeSet<_>>().len() <= useless + 2, "{asked:?}");
        assert_eq!(asked[..answered.len()], answered);
    }
}

/// Returns the revisions with an outcome in a journal.
fn told(journal: &str) -> Vec<String> {
    // The last line can be incomplete.
    let whole = journal.rfind('\n').map_or("", |end| &journal[..end]);
    let records: Vec<serde_json::Value> = whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answers = records.iter().filter(|record| record["event"] == "told");
    let revision = |answer: &serde_json::Value| {
        let asked = records.iter().find(|record| record["event"] == "asked" && record["id"] == answer["id"]);
        asked.unwrap()["revision"].as_str().unwrap().to_owned()
    };
    answers.map(revision).collect()
}

/// Commits revisions with distinct trees.
fn counting(scene: &Scene, revisions: usize) -> Vec<String> {
    let commit = |value: usize| {
        let (time, text) = (1_700_000_000 + value, format!("{value}\n"));
        format!(
            "commit refs/heads/counting\ncommitter T <t@example.org> {time} +0000\ndata 1\nc\n\
             M 100644 inline value\ndata {}\n{text}\n",
            text.len()
        )
    };
    let commits: String = (0..revisions).map(commit).collect();
    scene.repository.git(&["fast-import", "--quiet"], &commits).unwrap();
    let shas = scene.repository.git(&["rev-list", "--reverse", "counting"], "").unwrap();
    shas.lines().map(str::to_owned).collect()
}

#[test]
fn a_killed_run_leaves_no_process_and_resumes() {
    for answers in [0, 1, 2, 3, 5] {
        let scene = Scene::line(1, 0);
        let shas = counting(&scene, 60);
        let here = scene.path("").display().to_string();
        let script =
            format!("echo $$ >> {here}/pids; echo $FIRSTBAD_REVISION >> {here}/asked; test $(cat value) -lt 41");
        let (journal, store) = (scene.path("journal").display().to_string(), scene.path("store").display().to_string());
        let kept = ["--journal", &journal, "--store", &store, "--jobs", "2"];
        let ends = ["--good", &shas[0], "--bad", &shas[59], "--", "sh", "-c", &script];
        let mut child = scene.command(&[&["run"], &kept[..], &ends].concat()).spawn().unwrap();
        soon(|| scene.read("journal").matches("\"told\"").count() >= answers && !scene.read("pids").is_empty());
        send("KILL", &child);
        child.wait().unwrap();
        soon(|| !scene.read("pids").split_whitespace().any(lives));
        let before = told(&scene.read("journal"));
        assert!(before.len() >= answers);
        scene.write("asked", "");
        let on = scene.program(&["run", "--json", "--journal", &journal, "--store", &store, "--jobs", "2"]);
        assert_eq!(on.found(), (0, vec![shas[41].as_str()]), "{}", on.words);
        assert_eq!(told(&scene.read("journal"))[..before.len()], before);
        let asked = scene.asked();
        // The culprit and its parent can run again to confirm.
        let again = asked.iter().filter(|revision| before.contains(revision)).count();
        assert!(again <= 2, "{before:?}, then {asked:?}");
        assert_eq!(scene.work_trees(), Vec::<std::path::PathBuf>::new());
    }
}

/// Returns reproducible random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % limit
    }
}

/// Stops and resumes one run again and again with any signal.
#[test]
fn signals_lose_no_outcome_and_leave_no_process() {
    let mut random = Random(7);
    for round in 0..2 {
        let scene = Scene::line(1, 0);
        let shas = counting(&scene, 24);
        let here = scene.path("").display().to_string();
        let script =
            format!("echo $$ >> {here}/pids; echo $FIRSTBAD_REVISION >> {here}/asked; test $(cat value) -lt 3");
        let (journal, store) = (scene.path("journal").display().to_string(), scene.path("store").display().to_string());
        let kept = ["run", "--json", "--search", "linear", "--journal", &journal, "--store", &store, "--jobs", "2"];
        let ends = ["--good", &shas[0], "--bad", &shas[23], "--", "sh", "-c", &script];
        let (mut ended, mut repeated) = (0, 0);
        let on = loop {
            let before = told(&scene.read("journal"));
            scene.write("asked", "");
            let lines = scene.read("journal").lines().count();
            let mut child = scene.command(&[&kept[..], &ends].concat()).spawn().unwrap();
            let until = lines + random.below(5) as usize;
            soon(|| scene.read("journal").lines().count() >= until || !lives(&child.id().to_string()));
            for spin in 0..random.below(2_000_000) {
                std::hint::black_box(spin);
            }
            let signal = ["KILL", "TERM", "HUP", "INT", "STOP"][random.below(5) as usize];
            if ended == 8 || !lives(&child.id().to_string()) {
                let ran = Ran::of(&child.wait_with_output().unwrap());
                check_asked(&scene, &before, &mut repeated);
                break ran;
            }
            send(signal, &child);
            if signal == "STOP" {
                soon(|| is_stopped(&child));
                send("TERM", &child);
                send("CONT", &child);
            }
            ended += 1;
            child.wait().unwrap();
            soon(|| !scene.read("pids").split_whitespace().any(lives));
            check_asked(&scene, &before, &mut repeated);
            assert_eq!(told(&scene.read("journal"))[..before.len()], before);
        };
        assert!(repeated <= 2 * ended, "{repeated} runs for nothing");
        assert_eq!(on.found(), (0, vec![shas[3].as_str()]), "round {round}: {}", on.words);
        assert_eq!(scene.work_trees(), Vec::<std::path::PathBuf>::new());
        println!("round {round}: {ended} signals, {repeated} runs that were not told");
    }
}

fn is_stopped(child: &Child) -> bool {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    text.rfind(')').is_some_and(|end| text[end + 2..].starts_with(['T', 't', 'Z']))
}

/// Checks that no recorded outcome is asked again.
fn check_asked(scene: &Scene, before: &[String], repeated: &mut usize) {
    let asked = scene.asked();
    assert!(!asked.iter().any(|revision| before.contains(revision)), "{before:?}, then {asked:?}");
    let after = told(&scene.read("journal"));
    *repeated += asked.iter().filter(|revision| !after.contains(revision)).count();
}

#[test]
fn a_second_signal_exits_at_once() {
    let scene = Scene::line(200, 77);
    scene.write("text", "one\ntwo\n");
    let script = scene.script("trap '' TERM\nsleep 600 & echo $$ $! >> pids; while :; do sleep 1; done");
    let (good, bad) = scene.ends();
    let text = scene.path("text").display().to_string();
    let runs = [
        &["run", "--good", &good, "--bad", &bad, "--", "sh", "-c", &script][..],
        &["minimize", &text, "--", "sh", "-c", &script],
    ];
    for arguments in runs {
        scene.write("pids", "");
        let child = scene.command(arguments).spawn().unwrap();
        soon(|| !scene.read("pids").is_empty());
        send("INT", &child);
        // Two signals at the same time count as one.
        std::thread::sleep(Duration::from_millis(100));
        let began = Instant::now();
        send("INT", &child);
        let ran = Ran::of(&child.wait_with_output().unwrap());
        println!("second SIGINT: {:?}", began.elapsed());
        assert_eq!(ran.code, 130, "{}", ran.words);
        for pid in scene.read("pids").split_whitespace() {
            assert!(!lives(pid), "{pid} is still there");
        }
        // Waiting would remove the worktrees and print a note.
        assert!(ran.words.is_empty() || arguments[0] != "minimize", "{}", ran.words);
        if arguments.contains(&"--good") {
            assert_ne!(scene.work_trees_now(), Vec::<std::path::PathBuf>::new());
        }
    }
}
