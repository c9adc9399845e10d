//! Malicious journals fail immediately with a named error and little memory.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use firstbad::{CommitGraph, Error, EventLimits, World};
use firstbad_journal::{Options, Session, read};
use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Creates a journal for this world with these lines.
    fn journal(&self, algorithm: &str, world: &Value, lines: &str) -> PathBuf {
        let configuration = if algorithm == "minimize" { json!({}) } else { json!({"bad": ["b"], "good": ["a"]}) };
        let header = json!({
            "journal": 1, "id": "x", "created": 0.0, "algorithm": algorithm, "configuration": configuration,
            "fingerprint": "0", "world": world,
        });
        let path = self.path("run.jsonl");
        std::fs::write(&path, format!("{header}\n{lines}")).unwrap();
        path
    }

    fn graph(&self, text: &[&[u8]]) {
        let mut packed = GzEncoder::new(std::fs::File::create(self.path("g.gz")).unwrap(), Compression::default());
        text.iter().for_each(|part| packed.write_all(part).unwrap());
        packed.finish().unwrap();
    }
}

/// Returns the result of viewing a journal.
fn looked(path: &Path) -> Result<Session, Error> {
    let contents = read(path)?;
    let world = contents.header.world(path, None)?;
    Session::view(path, &contents, world)
}

fn refused(path: &Path) -> String {
    let error = looked(path).err().unwrap();
    assert!(matches!(error.code(), "journal" | "invalid_argument"), "{error}");
    let words = error.to_string();
    assert!(words.len() < 1000, "{} bytes", words.len());
    words
}

fn graph_world(file: &str, revisions: usize) -> Value {
    json!({"graph": {"file": file, "revisions": revisions}})
}

#[test]
fn item_counts_beyond_the_limit_are_rejected() {
    let folder = Folder::new();
    for count in [10_000_000_000_000_u64, 1 << 25] {
        let path = folder.journal("minimize", &json!({"items": {"count": count}}), "");
        assert!(refused(&path).contains(&format!("it has {count} items, and firstbad reads at most 16777216")));
    }
    let error = firstbad::open("minimize", World::Items(usize::MAX), &json!({})).err().unwrap();
    assert!(error.to_string().contains("at most 16777216"), "{error}");
}

/// Each set is a few characters but takes two megabytes.
#[test]
fn sets_larger_than_their_text_are_limited() {
    let folder = Folder::new();
    let lines = |index: usize, count: usize| {
        (0..count).fold(String::new(), |mut text, id| {
            let _ = writeln!(text, r#"{{"event":"asked","id":{id},"changes":"{index}","at":0.0}}"#);
            text
        })
    };
    let world = json!({"items": {"count": 1 << 24}});
    let path = folder.journal("minimize", &world, &lines((1 << 24) - 1, 1000));
    assert!(std::fs::metadata(&path).unwrap().len() < 70_000);
    let words = refused(&path);
    assert!(words.contains(&format!("line {}: events", EventLimits::BYTES / (2 << 20) + 2)), "{words}");
    let path = folder.journal("minimize", &world, &lines(99_999_999_999_999, 2));
    assert!(refused(&path).contains("line 2 cannot be read"), "{}", refused(&path));
    // The same events in a snapshot.
    let events: Vec<Value> = (0..1000).map(|id| json!({"event": "asked", "id": id, "changes": "16777215"})).collect();
    let snapshot = json!({
        "schema": 1, "algorithm": "minimize", "configuration": {}, "fingerprint": "", "events": events,
    });
    let error = firstbad::restore("minimize", World::Items(4), &snapshot.to_string()).err().unwrap();
    assert_eq!(error.code(), "snapshot");
    assert!(error.to_string().contains("bytes of changes and contents"), "{error}");
}

#[test]
fn oversized_histories_are_rejected() {
    let folder = Folder::new();
    let path = folder.journal("regression", &graph_world("g.gz", 2), "");
    // An endless line, here 64 MiB. Reading stops at the maximum length of a line.
    folder.graph(&vec![&[b'['; 1 << 16][..]; 1 << 10]);
    assert!(refused(&path).contains("takes more than 1048576 bytes"), "{}", refused(&path));
    folder.graph(&vec![&b"[\"a\",[],null]\n"[..]; 1000]);
    assert!(refused(&path).contains("more than the 2 revisions that the journal says"), "{}", refused(&path));
    folder.graph(&[b"[\"a\",[],null]\n"]);
    assert!(refused(&path).contains("has 1 revisions, and the journal says 2"), "{}", refused(&path));
    folder.graph(&[b"[\"a\",[],null]\n[\"b\",[\"a\"],null]\n"]);
    looked(&path).unwrap();
    let path = folder.journal("regression", &graph_world("g.gz", 1 << 40), "");
    assert!(refused(&path).contains("firstbad reads at most 16777216"));
}

#[test]
fn histories_outside_the_folder_and_pipes_are_rejected() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("below")).unwrap();
    folder.graph(&[b"[\"a\",[],null]\n[\"b\",[\"a\"],null]\n"]);
    let outside = folder.path("g.gz").display().to_string();
    for name in ["../g.gz", "below/../g.gz", &outside, "..", "", "g.gz/", "\0"] {
        let path = folder.journal("regression", &graph_world(name, 2), "");
        assert!(refused(&path).contains("Expected a name without a folder"), "{name}: {}", refused(&path));
    }
    if cfg!(windows) {
        // Windows has no pipes among files.
        return;
    }
    for name in ["pipe", "run.jsonl.lock"] {
        assert!(Command::new("mkfifo").arg(folder.path(name)).status().unwrap().success());
    }
    let path = folder.journal("regression", &graph_world("pipe", 2), "");
    assert!(refused(&path).contains("it is not a regular file"), "{}", refused(&path));
    assert!(refused(&folder.path("pipe")).contains("it is not a regular file"));
    assert!(refused(Path::new("/dev/zero")).contains("it is not a regular file"));
    let path = folder.journal("regression", &graph_world("g.gz", 2), "");
    let graph = Arc::new(CommitGraph::linear(["a", "b"]).unwrap());
    let search = firstbad::open("regression", graph, &json!({"bad": ["b"], "good": ["a"]})).unwrap();
    let error = Session::new(search).attach(&path, &Options::default()).unwrap_err();
    assert!(error.to_string().contains("it is not a regular file"), "{error}");
}

/// A malicious link next to the journal is not written through.
#[test]
#[cfg(unix)] // Links need rights on Windows.
fn links_next_to_a_journal_are_not_followed() {
    let folder = Folder::new();
    let precious = folder.path("precious");
    std::fs::write(&precious, "precious").unwrap();
    let graph = Arc::new(CommitGraph::linear(["a", "b"]).unwrap());
    let names = ["run.jsonl.lock", "run.jsonl.new", "run.jsonl.graph.gz.new", "run.jsonl.graph.gz"];
    for (name, is_hard) in names.into_iter().flat_map(|name| [(name, false), (name, true)]) {
        let link = folder.path(name);
        let _ = std::fs::remove_file(&link);
        match is_hard {
            true => std::fs::hard_link(&precious, &link).unwrap(),
            false => std::os::unix::fs::symlink(&precious, &link).unwrap(),
        }
        let configuration = json!({"bad": ["b"], "good": ["a"]});
        let mut session = Session::new(firstbad::open("regression", Arc::clone(&graph), &configuration).unwrap());
        let attached = session.attach(folder.path("run.jsonl"), &Options::default());
        assert_eq!(attached.is_err(), name.ends_with("lock"), "{name}: {attached:?}");
        assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious", "{name}");
        session.close();
        let _ = std::fs::remove_file(&link);
        let _ = std::fs::remove_file(folder.path("run.jsonl"));
    }
}

/// A journal that is too long is rejected before it is read.
#[test]
fn oversized_journals_are_rejected() {
    let folder = Folder::new();
    let path = folder.path("run.jsonl");
    // The file is sparse and takes no disk space.
    std::fs::File::create(&path).unwrap().set_len((1 << 30) + 1).unwrap();
    assert!(refused(&path).contains("it has more than 1073741824 bytes"), "{}", refused(&path));
    std::fs::File::create(&path).unwrap().set_len((1 << 26) + 1).unwrap();
    assert!(refused(&path).contains("line 1 has more than 67108864 bytes"), "{}", refused(&path));
}
