//! Tests of hanging parts. Each hang takes five seconds.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::Place;

#[test]
fn a_hanging_part_of_a_file_is_stopped() {
    let place = Place::new();
    place.write("input.txt", "keep\nother\n");
    let test = ["--", "sh", "-c", "grep -q keep $0 || exec sleep 600", "{}"];
    let how = ["minimize", "input.txt", "--items", "lines", "-o", "small.txt"];
    let ended = place.run_in(&place.path(""), &[&how[..], &test].concat()).exits(0);
    assert_eq!(place.read("small.txt"), "keep\n");
    assert!(ended.err.contains("still running after 5 s"), "{}", ended.err);
}

/// A commit with a hanging part, found without a time limit.
fn found() -> Place {
    let place = Place::new();
    place.commit("text", "a\n", "Begin");
    place.git(&["tag", "good"]);
    place.commit("text", "loop\na\nstep\n", "Count by hand");
    let test = "grep -q step text || { grep -q loop text && exec sleep 600; }; ! grep -q step text";
    place.run(&["run", "-q", "--good", "good", "--journal", "../run.jsonl", "--", "sh", "-c", test]).exits(0);
    place
}

#[test]
fn a_hanging_part_of_a_commit_is_stopped() {
    let place = found();
    let ended = place.run(&["explain", "../run.jsonl"]).exits(0);
    assert!(ended.err.contains("still running after 5 s"), "{}", ended.err);
}
