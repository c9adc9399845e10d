//! A small run of each part of `make soak` finishes without errors and without growing memory.

use std::process::Command;

fn soaked(words: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_soak")).args(words).output().expect("it was built");
    let printed = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{words:?}: {printed}{}", String::from_utf8_lossy(&done.stderr));
    printed
}

#[test]
fn a_small_soak_with_bad_leaves_finishes() {
    let printed = soaked(&["history", "2000", "5"]);
    assert_eq!(printed.matches("5 bad leaves").count(), 4, "{printed}");
    assert_eq!(printed.matches("Found").count(), 7, "{printed}");
}

#[test]
fn a_small_soak_with_many_observations_finishes() {
    let printed = soaked(&["observations", "40"]);
    assert_eq!(printed.lines().count(), firstbad_testkit::scenes::Scene::KINDS, "{printed}");
}

#[test]
fn a_small_soak_with_many_probes_in_flight_finishes() {
    let printed = soaked(&["jobs", "64", "40"]);
    // The reads of iterative delta debugging are unrelated to the test, so its searches find nothing.
    assert_eq!(printed.matches("Found").count(), firstbad_testkit::scenes::Scene::KINDS - 2, "{printed}");
}

#[test]
fn a_small_soak_of_searches_does_not_leak() {
    let printed = soaked(&["searches", "0", "1"]);
    assert!(printed.contains("left behind by 20 searches: 0 bytes"), "{printed}");
}

#[test]
fn unknown_fields_are_rejected() {
    let done = Command::new(env!("CARGO_BIN_EXE_soak")).arg("everything").output().expect("it was built");
    assert_eq!(done.status.code(), Some(1));
}
