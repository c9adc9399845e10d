//! Journals with the history next to them.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::LazyLock;

use firstbad::Search as _;
use firstbad_journal::{Options, Session, read};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The prefix of lines that belong to the history and not to the journal.
const HISTORY: &[u8] = b"#";

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));

pub(super) fn take(input: &[u8]) {
    let path = written(input);
    let Ok(contents) = read(&path) else { return };
    // A history in a repository cannot be found here.
    let Ok(world) = contents.header.world(&path, None) else { return };
    let Ok(view) = Session::view(&path, &contents, world.clone()) else { return };
    let seen = view.inspect().snapshot().expect("a JSON form");
    let _ = view.inspect().report_json().expect("a report");
    // A resumed journal contains the same search and stays readable.
    let mut session = Session::new(contents.header.search(world.clone()).expect("it was opened to be looked at"));
    if session.attach(&path, &Options::default()).is_err() {
        return;
    }
    assert_eq!(session.inspect().snapshot().expect("a JSON form"), seen);
    if session.is_done() || session.reads().is_empty() {
        let _ = session.ask(2);
    }
    let after = session.inspect().snapshot().expect("a JSON form");
    session.close();
    let contents = read(&path).expect("it was written by us");
    let again = Session::view(&path, &contents, world).expect("it was written by us");
    assert_eq!(again.inspect().snapshot().expect("a JSON form"), after);
}

/// Writes the journal and its history, and returns the path of the journal.
fn written(input: &[u8]) -> PathBuf {
    let path = FOLDER.path().join("run.jsonl");
    let (mut journal, mut history) = (Vec::new(), Vec::new());
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_prefix(HISTORY) {
            Some(line) => history.extend_from_slice(line),
            None => journal.extend_from_slice(line),
        }
    }
    std::fs::write(&path, journal).expect("a folder of its own");
    let file = std::fs::File::create(FOLDER.path().join("run.jsonl.graph.gz")).expect("a folder of its own");
    let mut packed = GzEncoder::new(file, Compression::fast());
    packed.write_all(&history).and_then(|()| packed.finish()).expect("a folder of its own");
    path
}
