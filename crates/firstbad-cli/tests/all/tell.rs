//! Tests of `firstbad tell` with the exit codes of other machines.
#![cfg(unix)]

use crate::support::{Ended, Place};
use serde_json::json;

/// A repository of four commits, and a journal whose endpoints were asked.
fn begun(options: &[&str]) -> Place {
    let place = Place::new();
    for number in 0..4 {
        place.commit("f", &number.to_string(), "change f");
    }
    place.run(&[&["init", "run.jsonl", "--good", "main~3", "--bad", "main"], options].concat()).exits(0);
    place.run(&["ask", "run.jsonl", "-k", "2"]).exits(0);
    place
}

fn tell(place: &Place, answers: &str, options: &[&str]) -> Ended {
    place.write("repo/answers", answers);
    place.run(&[&["tell", "run.jsonl", "--from", "answers"], options].concat())
}

fn outcomes(ended: &Ended) -> Vec<String> {
    let told = ended.json()["told"].as_array().unwrap().clone();
    told.iter().map(|one| one["outcome"].as_str().unwrap().to_owned()).collect()
}

/// Returns the notes in the journal.
fn notes(place: &Place) -> String {
    place.read("repo/run.jsonl").lines().filter(|line| line.contains("\"told\"")).collect()
}

#[test]
fn a_crash_elsewhere_is_unresolved_and_can_be_told_twice() {
    let place = begun(&[]);
    let answers = "{\"id\": 0, \"exit_code\": 139}\n{\"id\": 1, \"exit_code\": 127}\n";
    // PowerShell starts a text with a byte order mark.
    for mark in ["\u{feff}", ""] {
        let ended = tell(&place, &format!("{mark}{answers}"), &[]).exits(0);
        assert_eq!(outcomes(&ended), ["unresolved", "unresolved"]);
    }
    assert!(notes(&place).contains("exit code 139, which means a crash or a signal"), "{}", notes(&place));
    assert!(notes(&place).contains("exit code 127, which means that the command was not found"), "{}", notes(&place));
    assert_eq!(notes(&place).matches("\"told\"").count(), 2, "{}", notes(&place));
}

#[test]
fn status_names_no_suspects_while_an_endpoint_is_replaced() {
    let place = begun(&[]);
    let bad = place.git(&["rev-parse", "main"]);
    tell(&place, &format!("{{\"revision\": \"{}\", \"exit_code\": 139}}", bad.trim()), &[]).exits(0);
    let status = place.run(&["status", "run.jsonl"]).out;
    assert!(status.contains("The search for an older failing revision has not finished"), "{status}");
    assert!(!status.contains("suspect"), "{status}");
}

#[test]
fn a_crash_elsewhere_has_the_outcome_of_the_option_or_the_journal() {
    let crash = "{\"id\": 0, \"exit_code\": 139}";
    let place = begun(&[]);
    assert_eq!(outcomes(&tell(&place, crash, &["--treat", "signal=fail"]).exits(0)), ["fail"]);
    for options in [["--treat", "signal=fail"], ["--treat", "139=fail"]] {
        let place = begun(&options);
        assert_eq!(outcomes(&tell(&place, crash, &[]).exits(0)), ["fail"], "{options:?}");
    }
    let place = begun(&["--treat", "signal=fail"]);
    let one = place.run(&["tell", "run.jsonl", "0", "--exit-code", "139", "--treat", "signal=unresolved"]).exits(0);
    assert_eq!(outcomes(&one), ["unresolved"]);
    assert!(place.run(&["tell", "run.jsonl", "0", "--exit-code", "139", "--treat", "signal=stop"]).code == 2);
}

#[test]
fn a_failed_machine_is_asked_again() {
    let place = begun(&["--treat", "75=retry"]);
    let failed = format!("{{\"revision\": {:?}, \"exit_code\": 75}}", place.git(&["rev-parse", "main"]));
    for _ in 0..2 {
        assert_eq!(outcomes(&tell(&place, &failed, &[]).exits(0)), ["abandon"]);
    }
    let again = place.run(&["ask", "run.jsonl", "-k", "2"]).exits(0).json();
    assert_eq!(again["probes"].as_array().unwrap().len(), 1, "{again}");
}

#[test]
fn one_invalid_outcome_does_not_block_the_others() {
    let place = begun(&["--treat", "3=stop"]);
    let answers = "{\"id\": 0, \"exit_code\": 3}\n{\"id\": 0, \"exit_c\n{\"id\": 1, \"exit_code\": 0}{\"id\": 0, \"exit_code\": 1}\n";
    place.write("repo/answers", answers);
    std::fs::write(place.path("repo/bytes"), b"\xff\xfe\n{\"id\": 9, \"exit_code\": 1}\n").unwrap();
    let from = ["tell", "run.jsonl", "--from", "missing", "bytes", "answers"];
    let ended = place.run(&from).exits(2);
    assert_eq!(outcomes(&ended), ["pass", "fail"]);
    let refused = ended.json()["refused"].as_array().unwrap().clone();
    let codes: Vec<&str> = refused.iter().map(|one| one["code"].as_str().unwrap()).collect();
    let expected = ["io", "invalid_argument", "unknown_probe", "command_stopped", "invalid_argument"];
    assert_eq!((codes, refused[4]["source"].clone()), (expected.to_vec(), json!("answers, line 2")), "{}", ended.err);
    assert!(ended.err.contains("change --treat to choose another outcome for it"), "{}", ended.err);
    assert_eq!(outcomes(&place.run(&from).exits(2)), ["pass", "fail"], "the same once more");
    assert_eq!(notes(&place).matches("\"told\"").count(), 2);
}

#[test]
fn invalid_numbers_are_named() {
    let place = begun(&[]);
    let ended =
        tell(&place, "{\"id\": 0, \"exit_code\": \"139\"}\n{\"id\": [0], \"outcome\": \"fail\"}\n", &[]).exits(2);
    assert!(ended.err.contains("exit_code: \"139\" is not valid; expected a whole number"), "{}", ended.err);
    assert!(ended.err.contains("id: [0] is not valid"), "{}", ended.err);
    let unknown = place.run(&["tell", "run.jsonl", "7", "pass", "--as", "id"]).exits(2);
    assert!(unknown.err.contains("has asked 2 probes, whose ids are 0 to 1"), "{}", unknown.err);
    // Some languages return the negative number of the signal.
    let told = place.run(&["tell", "run.jsonl", "0", "--exit-code", "-11"]).exits(0);
    assert_eq!(outcomes(&told), ["unresolved"]);
    let refused = place.run(&["run", "--timeout", "-1", "--", "true"]).exits(2);
    assert!(refused.err.contains("'-1'") && refused.err.contains("expected seconds"), "{}", refused.err);
    assert!(!refused.err.contains("tip:"), "{}", refused.err);
}
