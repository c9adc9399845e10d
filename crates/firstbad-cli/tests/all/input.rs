//! Tests of standard input.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::Place;

const DIFF: &str =
    "diff --git a/value b/value\n--- a/value\n+++ b/value\n@@ -1,3 +1,3 @@\n-a\n-good\n-b\n+A\n+bad\n+B\n";

#[test]
fn patches_and_files_can_be_standard_input() {
    let place = Place::new();
    place.commit("value", "a\ngood\nb\n", "Begin");
    let test = ["--", "grep", "-q", "good", "value"];
    let patch = place.run_given(&[&["minimize", "-q", "--patch", "-"], &test[..]].concat(), DIFF).exits(0);
    assert!(patch.out.contains("\n-good\n") && !patch.out.contains("+A"), "{}", patch.out);
    let file = ["minimize", "-q", "-", "--", "grep", "-q", "two"];
    assert_eq!(place.run_given(&file, "one\ntwo\nthree\n").exits(0).out, "two\n");
    let fixed = ["run", "-q", "--good", "HEAD", "--bad", "HEAD", "--apply", "-", "--", "true"];
    let fixup = place.run_given(&fixed, "no patch");
    assert!(fixup.err.contains("standard input") || fixup.err.contains("--apply: -"), "{}", fixup.err);
    assert!(!fixup.err.contains("No such file"), "{}", fixup.err);
    let twice = ["minimize", "--patch", "-", "--apply", "-", "--", "true"];
    let twice = place.run_given(&twice, DIFF).exits(2);
    assert!(twice.err.contains("can only be read once"), "{}", twice.err);
}

#[test]
fn binary_files_without_content_are_ignored() {
    let place = Place::new();
    place.commit("value", "a\ngood\nb\n", "Begin");
    place.commit("image", "\0old", "Add an image");
    let bare = "diff --git a/image b/image\nindex 1111111..2222222 100644\nBinary files a/image and b/image differ\n";
    let reduce = ["minimize", "--patch", "-", "--", "grep", "-q", "good", "value"];
    let ended = place.run_given(&reduce, &format!("{bare}{DIFF}")).exits(0);
    assert!(ended.out.contains("\n-good\n"), "{}", ended.out);
    assert!(ended.err.contains("without content: image (use git diff --binary)"), "{}", ended.err);
    let alone = place.run_given(&reduce, bare).exits(2);
    assert!(alone.err.contains("expected a patch with changes"), "{}", alone.err);
}

#[test]
fn a_binary_cause_is_shown_by_its_size() {
    let place = Place::new();
    let noise = |seed: u32| -> String {
        let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        std::iter::successors(Some(seed), next).take(3000).map(|state| char::from((state >> 25) as u8)).collect()
    };
    place.commit("model.bin", &format!("A\0{}", noise(1)), "Begin");
    place.git(&["tag", "v1"]);
    place.commit("model.bin", &format!("B\0{}", noise(2)), "Train");
    let test = ["--", "sh", "-c", "test $(head -c 1 model.bin) = A"];
    let ended = place.run(&[&["run", "-q", "--explain", "--good", "v1"], &test[..]].concat()).exits(0);
    let line = "Binary files a/model.bin (3002 bytes) and b/model.bin (3002 bytes) differ";
    assert!(ended.out.contains(line) && ended.out.len() < 2500, "{}", ended.out);
    let json = place.run(&["report", "--json"]).exits(0).json();
    let patch = json["causes"][0]["cause"]["patch"].as_str().unwrap();
    assert!(patch.ends_with(&format!("{line}\n")), "{patch}");
}
