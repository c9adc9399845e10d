//! Full disks, missing files, and other programs that change a journal.

// The tests use file size limits, which only Unix has.
#![cfg(unix)]

use std::io::Write as _;
use std::process::Command;

use crate::play::{Game, part, process, report};
use firstbad::{Error, Observation, Search};
use firstbad_journal::{Options, Session, read};
use firstbad_testkit::journal::unsealed;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

const GAME: Game = Game::Linear(60);

/// Limits the size of files, or removes the limit.
fn limit(bytes: Option<u64>) {
    let maximum = getrlimit(Resource::Fsize).maximum;
    setrlimit(Resource::Fsize, Rlimit { current: bytes, maximum }).unwrap();
}

fn size(path: &str) -> u64 {
    std::fs::metadata(path).unwrap().len()
}

/// Calls a function until it succeeds. The disk becomes full during the first write.
fn with_a_full_disk<R>(
    path: &str,
    room: u64,
    session: &mut Session,
    call: impl Fn(&mut Session) -> Result<R, Error>,
) -> R {
    let (runs, before) = (session.runs(), size(path));
    limit(Some(before + room));
    for _ in 0..2 {
        let Err(error) = call(session) else { panic!("{room} bytes are enough") };
        assert_eq!(error.code(), "journal");
        let text = error.to_string();
        assert!(text.contains("File too large") && text.contains("kept in memory until the next call"), "{text}");
        assert!(text.contains(path), "{text}");
        // Meanwhile, readers see no incomplete line.
        assert_eq!((read(path).unwrap().torn, size(path)), (0, before));
        assert!(session.runs() >= runs);
    }
    limit(None);
    call(session).unwrap()
}

/// The process whose disk becomes full repeatedly. In this process, a write over the limit is an error and not a signal.
#[test]
fn writer() {
    let Some(part) = part() else { return };
    let path = &part[0];
    let mut session = GAME.attached(path.as_ref());
    let mut room = 0;
    while !session.is_done() {
        room = (room + 7) % 60;
        let probes = with_a_full_disk(path, room, &mut session, |session| session.ask(3));
        assert_eq!(session.in_flight(), probes);
        for probe in probes {
            let told = |session: &mut Session| session.tell(probe.id, GAME.answer(&probe));
            with_a_full_disk(path, room, &mut session, told);
        }
    }
}

#[test]
fn a_full_disk_is_reported_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let writer = process("disk::writer", &[path.to_str().unwrap()]);
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"]).arg(writer.get_program()).args(writer.get_args());
    shell.envs(writer.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let done = shell.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let found = report(&GAME.attached(&path));
    let undisturbed = GAME.undisturbed();
    for field in ["status", "points", "runs"] {
        assert_eq!(found[field], undisturbed[field], "{field}");
    }
    assert_eq!(found["runs"], 60);
}

#[test]
fn a_removed_or_replaced_journal_is_not_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut session = GAME.attached(&path);
    let probe = session.ask(1).unwrap().remove(0);
    let whole = std::fs::read(&path).unwrap();
    // Each attempt has another error, and the outcome is written once the problem is fixed.
    let refused = |session: &mut Session, words: &str| {
        let error = session.tell(probe.id, GAME.answer(&probe)).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    std::fs::File::options().append(true).open(&path).unwrap().write_all(b"{}\n").unwrap();
    refused(&mut session, "another process changed the file");
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    refused(&mut session, "another process changed the file");
    std::fs::write(&path, &whole).unwrap();
    session.tell(probe.id, GAME.answer(&probe)).unwrap();
    assert_eq!(read(&path).unwrap().records.len(), 2);
    std::fs::remove_file(&path).unwrap();
    assert!(session.ask(1).unwrap_err().to_string().contains("the file was removed"));
    assert_eq!((session.runs(), session.in_flight().len()), (1, 0));
}

#[test]
fn other_files_are_rejected_and_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    drop(GAME.attached(&path));
    let header = std::fs::read(&path).unwrap();
    let without_end = &header[..header.len() - 1];
    let newer = String::from_utf8(header.clone()).unwrap().replace("{\"journal\":2", "{\"journal\":3");
    let changed = String::from_utf8(header.clone()).unwrap().replace("regression", "regressiom");
    let broken = [&header[..], b"{\"event\":\"told\"}\n", b"{}\n"].concat();
    for (text, words) in [
        (b"some notes\n".as_slice(), "it is not a journal"),
        (&header[..20], "it is not a journal"),
        (without_end, "line 1 is incomplete"),
        (newer.as_bytes(), "version 3"),
        (changed.as_bytes(), "line 1 cannot be read: its checksum does not match"),
        (&broken, "line 2 cannot be read"),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = GAME.session().attach(&path, &Options::default()).unwrap_err();
        assert_eq!(error.code(), "journal");
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), text);
        match firstbad_journal::read_header(&path) {
            Ok(header) => assert!(words.starts_with("line 2") && header.journal == 2, "{words}"),
            Err(other) => assert_eq!(other.to_string(), error.to_string()),
        }
    }
    let error = GAME.session().attach(folder.path().join("none").join("run.jsonl"), &Options::default()).unwrap_err();
    assert!(error.to_string().contains("its folder does not exist"), "{error}");
}

/// Plays a number of outcomes into a journal and returns its text.
fn played(path: &std::path::Path, answers: usize) -> Vec<u8> {
    let mut session = GAME.attached(path);
    for _ in 0..answers {
        let probe = session.ask(1).unwrap().remove(0);
        session
            .tell(probe.id, Observation { note: Some("exit code 1 @ ~".to_owned()), ..GAME.answer(&probe) })
            .unwrap();
    }
    std::fs::read(path).unwrap()
}

#[test]
fn every_flipped_bit_is_rejected_or_drops_only_the_last_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let text = played(&path, 4);
    let lines = text.iter().filter(|&&byte| byte == b'\n').count();
    for bit in 0..8 * text.len() {
        let mut other = text.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, &other).unwrap();
        let line = 1 + text[..bit / 8].iter().filter(|&&byte| byte == b'\n').count();
        match read(&path) {
            // A changed newline at the end looks like an interrupted write.
            Ok(found) => assert_eq!((bit / 8, found.records.len(), found.torn > 0), (text.len() - 1, lines - 2, true)),
            Err(error) => {
                let words = error.to_string();
                assert!(line == 1 || words.contains(&format!("line {line} cannot be read")), "bit {bit}: {words}");
            }
        }
    }
}

#[test]
fn lost_duplicated_or_moved_lines_are_rejected_with_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let text = played(&path, 6);
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let refused = |lines: &[&[u8]], line: usize| {
        std::fs::write(&path, lines.concat()).unwrap();
        let words = read(&path).unwrap_err().to_string();
        assert!(words.contains(&format!("line {line} cannot be read: its checksum does not match")), "{words}");
    };
    for place in 1..lines.len() - 1 {
        let mut lost = lines.clone();
        lost.remove(place);
        refused(&lost, place + 1);
        let mut doubled = lines.clone();
        doubled.insert(place, lines[place]);
        refused(&doubled, place + 2);
        let mut moved = lines.clone();
        moved.swap(place, place + 1);
        refused(&moved, place + 1);
    }
}

#[test]
fn a_journal_of_an_older_version_is_resumed_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let text = String::from_utf8(played(&path, 3)).unwrap();
    assert_eq!(read(&path).unwrap().header.format_note(), None);
    std::fs::write(&path, unsealed(&text)).unwrap();
    let mut session = GAME.session();
    let opening = session.attach(&path, &Options::default()).unwrap();
    assert!(opening.recovered().unwrap().contains("Its lines have no checksums"));
    let probe = session.ask(1).unwrap().remove(0);
    session.tell(probe.id, GAME.answer(&probe)).unwrap();
    drop(session);
    let contents = read(&path).unwrap();
    assert_eq!((contents.header.journal, contents.records.len()), (1, 8));
    assert!(!std::fs::read_to_string(&path).unwrap().contains("crc"));
}

#[test]
fn journals_and_their_files_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    played(&path, 1);
    let mode = |name: &str| std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("run.jsonl"), mode("run.jsonl.graph.gz")), (0o600, 0o600));
}

/// A power cut can leave any sectors of a write, and zeros in place of the others.
#[test]
fn holes_in_the_last_write_are_dropped_and_earlier_holes_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut session = GAME.attached(&path);
    let probes = session.ask(3).unwrap();
    drop(session);
    let asked = std::fs::read(&path).unwrap();
    let mut session = GAME.attached(&path);
    session.tell(probes[0].id, GAME.answer(&probes[0])).unwrap();
    drop(session);
    let told = std::fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..asked.len()).filter(|&place| asked[place] == b'\n').map(|place| place + 1).collect();
    assert_eq!(ends.len(), 4);
    for start in ends[0]..ends[3] {
        for length in [2, 40, 200] {
            let holed = |text: &[u8]| {
                let mut text = text.to_vec();
                let end = (start + length).min(asked.len());
                text[start..end].fill(0);
                std::fs::write(&path, &text).unwrap();
                read(&path)
            };
            // The lines before the hole remain.
            let whole = ends.iter().filter(|&&end| end <= start).count() - 1;
            let found = holed(&asked).unwrap();
            assert_eq!((found.records.len(), found.torn), (whole, asked.len() - ends[whole]));
            // Later lines were written after all of this was on disk, so a power cut cannot explain the hole.
            if start + length < ends[3] {
                let error = holed(&told).unwrap_err().to_string();
                assert!(error.contains(&format!("line {} cannot be read", whole + 2)), "{error}");
            }
        }
    }
}
