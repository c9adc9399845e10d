//! Errors for invalid input name the argument or the place, and change nothing.

use std::collections::BTreeMap;

use firstbad::reduction::Need;
use firstbad::slicing::SliceMethod;
use firstbad::{Observation, Outcome, Search, Slicer, SlicerConfig};
use serde_json::{Value, json};

fn refused(count: usize, config: SlicerConfig) -> String {
    Slicer::new(count, config).map(|_| ()).expect_err("it cannot be meant").to_string()
}

#[test]
fn invalid_slicing_options_are_named() {
    let config = SlicerConfig::default;
    let cases = [
        (refused(0, config()), "changes: 0 "),
        (refused(SlicerConfig::MOST_CHANGES + 1, config()), "changes: 16385 "),
        (refused(3, config().changes(["a", "b"])), "changes: 2 "),
        (refused(2, config().changes(["a", "a"])), "changes: \"a\" "),
        (refused(2, config().start([2])), "start: 2 "),
        (refused(2, config().start([1, 1])), "start: 1 "),
        (refused(2, config().algorithm(SliceMethod::Coverage)), "algorithm: \"coverage\" "),
        (refused(2, config().dependencies(BTreeMap::from([(1, vec![Need::Item(7)])]))), "dependencies[1]: 7 "),
        (refused(2, SlicerConfig { keep: Outcome::Unresolved, ..config() }), "keep: "),
    ];
    for (said, begins) in cases {
        assert!(said.starts_with(begins), "{said}");
    }
}

/// Returns the error for unreadable signals. The search continues as if they had not been told.
fn said_of(signals: Value) -> String {
    let mut search = Slicer::new(3usize, SlicerConfig::default()).expect("three changes");
    let probe = search.ask(1).expect("1").remove(0);
    let before = search.inspect().snapshot().expect("JSON");
    let observation = Observation { signals: Some(signals), ..Outcome::Unresolved.into() };
    let error = search.tell(probe.id, observation.clone()).expect_err("they cannot be read");
    assert_eq!(error.code(), "invalid_argument");
    let target = probe.target.clone();
    assert_eq!(search.observe(&target, observation).expect_err("nor told like this"), error);
    assert_eq!(search.inspect().snapshot().expect("JSON"), before);
    search.tell(probe.id, Outcome::Pass.into()).expect("it is still in flight");
    error.to_string()
}

#[test]
fn unreadable_facts_are_named_by_their_place() {
    let fact = |member: &str, value: Value| {
        let mut fact = json!({
            "file": "f", "name": "n", "variable": "v", "kind": "constant", "values": [1], "changes": [0],
        });
        fact[member] = value;
        json!({ "facts": [fact.clone(), fact] })
    };
    let cases = [
        (json!({ "facts": 7 }), "signals/facts: 7 "),
        (json!({ "facts": ["x"] }), "signals/facts/0: "),
        (
            json!({ "facts": vec![fact("kind", json!("constant"))["facts"][0].clone(); 17] }),
            "signals/facts/16/variable: \"v\" ",
        ),
        (
            json!({ "facts": [{"file": "f", "name": "n", "variable": "v", "kind": "one_of", "values": vec![1; 65]}] }),
            "signals/facts/0/values: a list of 65 ",
        ),
        (json!({ "facts": [{}] }), "signals/facts/0/file: null "),
        (fact("file", json!(1)), "signals/facts/0/file: 1 "),
        (fact("values", json!([1, 2])), "signals/facts/0/values: a list of 2 "),
        (fact("values", json!("x")), "signals/facts/0/values: "),
        (fact("changes", json!([0, 3])), "signals/facts/0/changes/1: 3 "),
        (fact("changes", json!([-1])), "signals/facts/0/changes/0: -1 "),
        (fact("a/b~", json!(1)), "signals/facts/0/a~1b~0: 1 "),
        (fact("kind", json!("range")), "signals/facts/0/values: "),
        (fact("kind", json!("sign")), "signals/facts/0/values: "),
        (fact("kind", json!("not_none")), "signals/facts/0/values: "),
        (json!({ "conflict": 3 }), "signals/conflict: 3 "),
        (json!({ "conflict": "a" }), "signals/conflict: \"a\" "),
    ];
    for (signals, begins) in cases {
        let said = said_of(signals);
        assert!(said.starts_with(begins), "{said}, not {begins}");
    }
    let many = json!({ "facts": vec![Value::Null; (1 << 18) + 1] });
    assert!(said_of(many).contains("at most 262144 facts"));
}

#[test]
fn a_conflict_is_about_a_change_of_the_set() {
    let mut search = Slicer::new(3usize, SlicerConfig::default()).expect("three changes");
    let probes = search.ask(2).expect("2");
    assert!(probes[1].changes().expect("changes").is_empty());
    let conflict = Observation { signals: Some(json!({ "conflict": 1 })), ran: false, ..Outcome::Unresolved.into() };
    let error = search.tell(probes[1].id, conflict).expect_err("1 is not in the set");
    assert!(error.to_string().starts_with("signals/conflict: 1 "), "{error}");
}

#[test]
fn unknown_signals_are_ignored() {
    let mut search = Slicer::new(3usize, SlicerConfig::default()).expect("three changes");
    for signals in [json!(null), json!("text"), json!({ "carried": "as it is" }), json!({ "facts": null })] {
        let probe = search.ask(1).expect("1").remove(0);
        let outcome = if probe.changes().expect("changes").len() == 3 { Outcome::Pass } else { Outcome::Fail };
        search.tell(probe.id, Observation { signals: Some(signals), ..outcome.into() }).expect("an answer");
    }
}
