//! A journal stores each fact in the signals of observations once, and restores all of them.

use std::path::Path;
use std::sync::Arc;

use firstbad::{CommitGraph, Observation, Outcome, Search as _};
use firstbad_journal::{Options, Session, read};
use firstbad_testkit::journal::resealed;
use serde_json::{Value, json};

fn session(path: &Path) -> Session {
    let ids: Vec<String> = (0..64).map(|id| format!("r{id}")).collect();
    let graph = Arc::new(CommitGraph::linear(ids).unwrap());
    let options = json!({"bad": ["r63"], "good": ["r0"], "search": "linear"});
    let mut session = Session::new(firstbad::open("regression", graph, &options).unwrap());
    session.attach(path, &Options::default()).unwrap();
    session
}

fn fact(name: &str) -> Value {
    json!({"file": "a.py", "name": name, "variable": "return", "kind": "constant", "values": [1]})
}

/// Tells one outcome with these signals.
fn tell(session: &mut Session, signals: &Value) {
    let probe = session.ask(1).unwrap().remove(0);
    let outcome = if probe.revision() == "r0" { Outcome::Pass } else { Outcome::Fail };
    let seen = Observation { signals: Some(signals.clone()), ..Observation::new(outcome) };
    session.tell(probe.id, seen).unwrap();
}

fn told(path: &Path) -> Vec<Value> {
    let events = read(path).unwrap().records;
    let observations =
        events.iter().filter_map(|record| serde_json::to_value(&record.event).unwrap()["observation"].take().into());
    observations.filter(|seen: &Value| seen.is_object()).map(|mut seen| seen["signals"].take()).collect()
}

#[test]
fn facts_are_written_once_and_restored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let signals = [
        json!({"facts": [fact("one"), fact("two")], "tree": "x"}),
        json!({"facts": [fact("two"), fact("one"), fact("one")]}),
        json!({"facts": [fact("three"), fact("two")]}),
        // The field has the right name but contains other values.
        json!({"facts": [1, fact("one")]}),
        json!({"facts": []}),
        json!(["facts"]),
    ];
    let mut first = session(&path);
    signals[..2].iter().for_each(|signals| tell(&mut first, signals));
    drop(first);
    let mut second = session(&path);
    signals[2..].iter().for_each(|signals| tell(&mut second, signals));
    drop(second);
    assert_eq!(told(&path), signals);
    let text = std::fs::read_to_string(&path).unwrap();
    for (name, times) in [("one", 2), ("two", 1), ("three", 1)] {
        assert_eq!(text.matches(&format!("\"name\":\"{name}\"")).count(), times, "{name}: {text}");
    }
    assert!(text.contains(r#""facts":[1,0,0]"#), "{text}");
}

#[test]
fn facts_of_untrusted_journals_have_limits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut first = session(&path);
    tell(&mut first, &json!({"facts": [fact("one")]}));
    tell(&mut first, &json!({"facts": [fact("one")]}));
    drop(first);
    let text = std::fs::read_to_string(&path).unwrap();
    let refused = |facts: &str| {
        let changed = text.replace(r#""facts":[0]"#, &format!(r#""facts":{facts}"#));
        std::fs::write(&path, resealed(&changed)).unwrap();
        read(&path).err().unwrap().to_string()
    };
    for (facts, words) in [
        ("[1]", "fact 0 has the number 1, but"),
        ("[0,-1]", "fact 1 has the number -1, but"),
        ("[0.5]", "fact 0 has the number 0.5, but"),
        ("[\"0\"]", "fact 0 is not valid, but"),
    ] {
        let error = refused(facts);
        assert!(error.contains(words), "{error}");
    }
    // Two hundred numbers refer to 200 MB of facts.
    let long = json!({"file": "x".repeat(1 << 20)});
    let error = refused(&format!("[{long}{}]", ",1".repeat(200)));
    assert!(error.contains("the facts of its outcomes has more than 134217728 bytes"), "{error}");
    let bare = text.replace(r#""signals":{}"#, r#""note":"x""#);
    std::fs::write(&path, resealed(&bare)).unwrap();
    assert!(read(&path).err().unwrap().to_string().contains("facts without signals"));
}
