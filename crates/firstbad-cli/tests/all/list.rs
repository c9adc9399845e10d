//! Tests of `firstbad run --list`.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::Place;

/// Twenty builds in a folder without a repository. They are bad from build-13 on, and build-11 does not exist.
fn place() -> Place {
    let place = Place::new();
    let builds: String = (0..20).map(|number| format!("build-{number}\r\n\n")).collect();
    place.write("builds.txt", &builds);
    place.write(
        "test.sh",
        "#!/bin/sh\n[ \"$1\" = \"$FIRSTBAD_REVISION\" ] || exit 127\necho tested $1\nn=${1#build-}\n[ $n = 11 ] && exit 125\n[ $n -lt 13 ]\n",
    );
    let script = place.path("test.sh");
    std::fs::set_permissions(script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    place
}

const TEST: [&str; 3] = ["--", "./test.sh", "{}"];

#[test]
fn the_first_bad_id_of_a_list_is_found() {
    let place = place();
    let folder = place.path("");
    let run = |more: &[&str], test: &[&str]| place.run_in(&folder, &[&["run"], more, test].concat());
    let found = run(&["--list", "builds.txt", "--good", "build-0", "-j", "2"], &TEST).exits(0);
    assert!(found.out.starts_with("First bad commit: build-13\n") && !found.out.contains("git "), "{}", found.out);
    assert!(found.err.contains("--bad is build-19, the last of 20 ids"), "{}", found.err);
    for form in [&["report"][..], &["status"], &["replay"], &["report", "--json"], &["report", "--format=html"]] {
        let ended = place.run_in(&folder, form).exits(0);
        assert!(ended.out.contains("build-13"), "{form:?}: {}", ended.out);
    }
    let flaky = run(&["--list", "builds.txt", "--good", "build-0", "--flaky", "0.01", "--json"], &TEST).exits(0).json();
    assert_eq!(flaky["points"][0]["culprit"], "build-13", "{flaky}");
}

#[test]
fn a_list_is_resumed_from_its_journal() {
    let place = place();
    let folder = place.path("");
    let list = ["run", "--list", "builds.txt", "--good", "build-0", "--max-runs", "2", "--journal", "run.jsonl"];
    let stopped = place.run_in(&folder, &[&list[..], &TEST].concat()).exits(14);
    assert!(
        stopped.err.contains("to resume: firstbad run --journal ") && stopped.err.contains("run.jsonl"),
        "{}",
        stopped.err
    );
    // The journal has the list, the test, and its folder.
    let found = place.run_in(&place.path("tmp"), &["run", "--journal", "../run.jsonl", "--json"]).exits(0).json();
    assert_eq!(found["points"][0]["culprit"], "build-13");
    place.write("other.txt", "build-0\nbuild-13\n");
    let other = ["run", "--list", "other.txt", "--good", "build-0", "--journal", "run.jsonl"];
    let refused = place.run_in(&folder, &[&other[..], &TEST].concat()).exits(1);
    assert!(refused.err.contains("it belongs to another search"), "{}", refused.err);
    // Outcomes are shared by id.
    let stored = ["run", "--list", "builds.txt", "--good", "build-0", "--store", "outcomes.db", "--json"];
    let first = place.run_in(&folder, &[&stored[..], &TEST].concat()).exits(0).json();
    let second = place.run_in(&folder, &[&stored[..], &TEST].concat()).exits(0).json();
    assert!(first["runs"].as_u64() > Some(2) && second["runs"] == second["confirmations"], "{second}");
}

#[test]
fn options_without_a_list_are_refused() {
    let place = place();
    let folder = place.path("");
    place.write("empty.txt", "\n \n");
    place.write("twice.txt", "a\nb\na\n");
    for (options, words) in [
        (&["--list", "empty.txt"][..], "--list: \"empty.txt\" is not valid; expected a file with one id on each line"),
        (&["--list", "none.txt"], "reading none.txt"),
        (&["--list", "twice.txt"], "\"a\""),
        (&["--list", "builds.txt", "--good", "build-99"], "build-99"),
        (&["--list", "builds.txt", "--setup", "x"], "--setup: \"with a list\" is not valid"),
        (&["--list", "builds.txt", "--path", "x"], "cannot be used with"),
    ] {
        let ended = place.run_in(&folder, &[&["run"], options, &TEST].concat());
        assert!([1, 2].contains(&ended.code) && ended.err.contains(words), "{options:?}: {}", ended.err);
    }
    let none = place.run_in(&folder, &["run", "--list", "builds.txt", "--", "./nope.sh", "{}"]);
    assert!(none.code == 15 && none.err.contains("command not found: ./nope.sh build-19"), "{}", none.err);
}
