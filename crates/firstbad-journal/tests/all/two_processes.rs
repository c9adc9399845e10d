//! Several processes with one journal.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::play::{Game, part, process, report};
use firstbad::{Event, Search};
use firstbad_journal::{Options, Session, read};

const GAME: Game = Game::Linear(120);

/// A process that takes one probe at a time and then lets others continue.
#[test]
fn taker() {
    let Some(part) = part() else { return };
    let mut log = File::options().append(true).create(true).open(&part[1]).unwrap();
    let options = Options { wait: Duration::from_secs(120), ..Options::default() };
    loop {
        let mut session = GAME.session();
        let opening = session.attach(&part[0], &options).unwrap();
        assert_eq!((opening.torn, session.in_flight().len()), (0, 0));
        if session.is_done() {
            return;
        }
        for probe in session.ask(1).unwrap() {
            writeln!(log, "{}", probe.target).unwrap();
            session.tell(probe.id, GAME.answer(&probe)).unwrap();
        }
        session.close();
    }
}

#[test]
fn alternating_processes_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (path, log) = (folder.path().join("run.jsonl"), folder.path().join("log"));
    let arguments = [path.to_str().unwrap(), log.to_str().unwrap()];
    let takers: Vec<Child> = (0..3).map(|_| process("two_processes::taker", &arguments).spawn().unwrap()).collect();
    for taker in takers {
        let done = taker.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let contents = read(&path).unwrap();
    assert_eq!(contents.torn, 0);
    let mut told = HashSet::new();
    for record in &contents.records {
        if let Event::Told { id, .. } = record.event {
            assert!(told.insert(id), "probe {id} was told twice");
        }
    }
    let world = contents.header.world(&path, None).unwrap();
    assert_eq!(report(&Session::view(&path, &contents, world).unwrap()), GAME.undisturbed());
    let log = std::fs::read_to_string(log).unwrap();
    let runs: HashSet<&str> = log.lines().collect();
    assert_eq!((runs.len(), log.lines().count(), told.len()), (120, 120, 120));
    assert!(!folder.path().join("run.jsonl.lock").exists());
}

/// A process that holds the journal until its parent closes its standard input.
#[test]
fn holder() {
    let Some(part) = part() else { return };
    let mut session = GAME.attached(part[0].as_ref());
    session.ask(2).unwrap();
    std::io::stderr().write_all(&[1]).unwrap();
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn the_holder_of_a_journal_is_named_and_a_killed_one_releases_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    for round in 0..2 {
        let mut holder =
            process("two_processes::holder", &[path.to_str().unwrap()]).stdin(Stdio::piped()).spawn().unwrap();
        let mut word = [0];
        holder.stderr.take().unwrap().read_exact(&mut word).unwrap();
        let error = GAME.session().attach(&path, &Options::default()).unwrap_err();
        assert_eq!(error.code(), "journal_locked");
        assert!(error.to_string().contains(&format!("process {} (", holder.id())), "{error}");
        // The holder has not written its identity yet, or the text is from an earlier holder.
        let lock = folder.path().join("run.jsonl.lock");
        let text = std::fs::read(&lock).unwrap();
        let earlier = String::from_utf8(text).unwrap().replace(&holder.id().to_string(), "999999999");
        // On Windows, no other process can write to the lock.
        let texts = if cfg!(windows) { &[][..] } else { &["", "{", &earlier] };
        for text in texts {
            std::fs::write(&lock, text).unwrap();
            let error = GAME.session().attach(&path, &Options::default()).unwrap_err();
            assert!(error.to_string().contains(&format!("in use by process {}\n", holder.id())), "{error}");
        }
        holder.kill().unwrap();
        holder.wait().unwrap();
        assert!(lock.exists());
        let mut session = GAME.session();
        let opening = session.attach(&path, &Options::default()).unwrap();
        assert_eq!((opening.resumed, opening.events), (true, 2 + 2 * round));
        assert_eq!(session.in_flight().len(), 2 + 2 * round);
    }
}

/// Two machines share a folder, so only the text of the lock identifies the holder.
#[test]
fn a_holder_on_another_machine_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    // The lock file of a machine that is gone does not block the journal.
    let left = r#"{"process":7,"machine":"elsewhere","program":"firstbad","since":"2026-01-01T00:00:00Z"}"#;
    std::fs::write(folder.path().join("run.jsonl.lock"), left).unwrap();
    drop(GAME.attached(&path));
    // As in another container, with another host name and unrelated process ids.
    let holder = process("two_processes::holder", &[path.to_str().unwrap()]);
    let mut other = Command::new("unshare");
    other.args(["--user", "--map-root-user", "--uts", "--pid", "--fork", "--kill-child"]);
    other
        .args(["sh", "-c", "hostname elsewhere && exec \"$@\"", "sh"])
        .arg(holder.get_program())
        .args(holder.get_args());
    other.envs(holder.get_envs().filter_map(|(name, value)| Some((name, value?))));
    other.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let Ok(mut other) = other.spawn() else { return };
    let mut word = [0];
    let mut said = other.stderr.take().unwrap();
    if said.read_exact(&mut word).is_err() || word != [1] {
        println!("no other machine can be made here");
        return;
    }
    let error = GAME.session().attach(&path, &Options::default()).unwrap_err();
    assert_eq!(error.code(), "journal_locked");
    assert!(error.to_string().contains("on elsewhere since"), "{error}");
    drop(other.stdin.take());
    other.wait().unwrap();
    // The search is finished, and its outcomes are in the journal.
    let mut session = GAME.session();
    assert_eq!(session.attach(&path, &Options::default()).unwrap().events, 2);
    assert_eq!(session.in_flight().len(), 2);
}
