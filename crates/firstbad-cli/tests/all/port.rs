//! Tests of `firstbad port`.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::Place;

#[test]
fn invalid_arguments_are_named_as_given() {
    let place = Place::new();
    for number in 0..3 {
        place.commit("number", &format!("{number}\n"), "A step");
    }
    for (options, words) in [
        (
            &["--start", "nope"][..],
            "--start: unknown revision \"nope\": it is not a branch, tag, or commit of this repository",
        ),
        (&["--good", "nope"], "--good: unknown revision \"nope\""),
        (&["--oldest", "nope"], "--oldest: unknown revision \"nope\""),
        (&["--revision", "HEAD~1", "--revision", "nope"], "--revision: unknown revision \"nope\""),
        (&["--forward", "nope"], "--forward: unknown revision \"nope\""),
        (&["--max-patch", "0"], "--max-patch: 0 is not valid"),
        (&["--seconds-factor", "1"], "--seconds-factor: 1.0 is not valid"),
        (&["--flat", "--granularity", "files"], "--granularity: \"files\" is not valid; expected \"lines\""),
        (&["--always-keep", "nope/x"], "--always-keep: \"nope/x\" is not valid"),
    ] {
        let how = [&["port"], options, &["--", "true"]].concat();
        let ended = place.run(&how).exits(2);
        assert!(ended.err.starts_with(&format!("error: {words}")), "{options:?}: {}", ended.err);
    }
}

#[test]
fn candidates_that_do_not_parse_take_no_time() {
    let place = Place::new();
    let program = |body: &str| format!("def total(a, b):\n{body}\n\nassert total(1, 2) == 3, 'wrong sum'\n");
    let (old, new) = ("    return (\n        a + b\n    )", "    sums = [\n        a - b,\n    ]\n    return sums[0]");
    for (text, number) in [(old, 0), (old, 1), (new, 2), (new, 3)] {
        place.write("repo/number", &format!("{number}\n"));
        place.commit("prog.py", &program(text), &format!("Commit {number}"));
    }
    let ended =
        place.run(&["port", "--format", "markdown", "--start", "HEAD", "--", "python3", "-B", "prog.py"]).exits(0);
    assert!(ended.err.contains("(not run: \"prog.py\" does not parse as Python)"), "{}", ended.err);
    let row = ended.out.lines().find(|line| line.starts_with("| does not parse |")).unwrap_or_default();
    let parts = row.trim_end_matches([' ', '|']);
    assert!(parts.ends_with(|last: char| ('1'..='9').contains(&last)), "{}", ended.out);
}

#[test]
fn the_output_is_shown_if_the_start_does_not_fail() {
    let place = Place::new();
    for number in 0..3 {
        place.commit("number", &format!("{number}\n"), "A step");
    }
    let fails = ["sh", "-c", "echo too many; exit 1"];
    let passes = ["sh", "-c", "echo all is well"];
    let guarded = ["--control", "sh -c 'echo no wonder; exit 3'"];
    for (options, test, printed) in [(&guarded[..], fails, "no wonder"), (&[], passes, "all is well")] {
        let ended = place.run(&[&["port", "--quiet"], options, &["--"], &test].concat());
        assert!(ended.err.contains("the test printed:") && ended.err.contains(printed), "{}", ended.err);
    }
    let ended = place.run(&[&["port", "--quiet", "--"], &fails[..]].concat());
    assert!(!ended.err.contains("printed"), "{}", ended.err);
}
