//! Iterative delta debugging, with the real program.

// The commands here are scripts of a Unix shell.
#![cfg(unix)]

mod support;

use support::Place;

#[test]
fn what_cannot_be_meant_is_called_as_it_was_written() {
    let place = Place::new();
    for number in 0..3 {
        place.commit("number", &format!("{number}\n"), "A step");
    }
    for (options, words) in [
        (&["--start", "nope"][..], "--start: \"nope\" is not valid; expected a branch, a tag or a commit"),
        (&["--good", "nope"], "--good: \"nope\" is not valid"),
        (&["--oldest", "nope"], "--oldest: \"nope\" is not valid"),
        (&["--revision", "HEAD~1", "--revision", "nope"], "--revision: \"nope\" is not valid"),
        (&["--forward", "nope"], "--forward: \"nope\" is not valid"),
        (&["--max-patch", "0"], "--max-patch: 0 is not valid"),
        (&["--seconds-factor", "1"], "--seconds-factor: 1.0 is not valid"),
        (&["--flat", "--granularity", "files"], "--granularity: \"files\" is not valid; expected \"lines\""),
        (&["--always-keep", "nope/x"], "--always-keep: \"nope/x\" is not valid"),
    ] {
        let how = [&["port"], options, &["--", "true"]].concat();
        let ended = place.run(&how).exits(2);
        assert!(ended.err.starts_with(&format!("firstbad: {words}")), "{options:?}: {}", ended.err);
    }
}
