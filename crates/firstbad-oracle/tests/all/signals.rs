//! The signals that a test writes to the file in `FIRSTBAD_SIGNALS`.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::time::Duration;

use crate::common::{Repo, sh};
use firstbad::{Error, Observation, Outcome};
use firstbad_oracle::{CommandOptions, CommandOracle, Verdict};
use serde_json::{Value, json};

fn run(script: &str, change: impl FnOnce(&mut CommandOptions)) -> Result<Observation, Error> {
    let repo = Repo::new();
    repo.write("f", "1\n");
    repo.commit("one");
    let mut options = repo.options();
    change(&mut options);
    CommandOracle::new(&repo.open(), sh(script), options).unwrap().run("HEAD")
}

fn signals(script: &str) -> Option<Value> {
    run(script, |_| {}).unwrap().signals
}

#[test]
fn signals_of_a_test_are_in_its_observation() {
    let seen = run(r#"echo '{"facts": [], "seed": 3}' > "$FIRSTBAD_SIGNALS"; exit 1"#, |_| {}).unwrap();
    assert_eq!((seen.outcome, seen.signals), (Outcome::Fail, Some(json!({"facts": [], "seed": 3}))));
    assert_eq!(signals("exit 0"), None);
    assert_eq!(signals(r#": > "$FIRSTBAD_SIGNALS""#), None);
}

#[test]
fn runs_do_not_share_signals() {
    let repo = Repo::new();
    repo.write("f", "1\n");
    let first = repo.commit("one");
    repo.write("f", "2\n");
    let second = repo.commit("two");
    let script =
        r#"test -e "$FIRSTBAD_SIGNALS" && exit 1; grep -q 1 f && echo '{"a": 1}' > "$FIRSTBAD_SIGNALS"; exit 0"#;
    let oracle = CommandOracle::new(&repo.open(), sh(script), repo.options()).unwrap();
    assert_eq!(oracle.run(&first).unwrap().signals, Some(json!({"a": 1})));
    let seen = oracle.run(&second).unwrap();
    assert_eq!((seen.outcome, seen.signals), (Outcome::Pass, None));
}

#[test]
fn only_the_test_has_the_signals_file() {
    let seen = run(r#"echo '{"by": "test"}' > "$FIRSTBAD_SIGNALS"; exit 1"#, |options| {
        options.setup = Some(sh(r#"test -z "$FIRSTBAD_SIGNALS""#));
        options.control = Some(sh(r#"test -z "$FIRSTBAD_SIGNALS""#));
    });
    let seen = seen.unwrap();
    assert_eq!((seen.outcome, seen.signals), (Outcome::Fail, Some(json!({"by": "test"}))));
}

#[test]
fn a_killed_test_has_no_signals() {
    let half = r#"echo '{"facts": [' > "$FIRSTBAD_SIGNALS"; "#;
    let seen = run(&format!("{half} sleep 100"), |options| options.timeout = Some(Duration::from_millis(300))).unwrap();
    assert_eq!((seen.outcome, seen.signals.unwrap().get("facts")), (Outcome::Unresolved, None));
    let seen = run(&format!("{half} kill -9 $$"), |options| options.on_signal = Verdict::Fail).unwrap();
    assert_eq!((seen.outcome, seen.signals), (Outcome::Fail, Some(json!({"failure": "killed by signal 9"}))));
}

#[test]
fn a_failure_without_signals_records_its_signature() {
    let told = |words: &str| Some(json!({ "failure": words }));
    assert_eq!(signals("echo 'Error: total is 3' >&2; exit 2"), told("exit code 2: Error: total is #"));
    let seen = run("echo 'Error: no' >&2; exit 2", |options| options.distinguish_failures = true).unwrap();
    assert_eq!((seen.failure(), &seen.signals), (Some("exit code 2: Error: no"), &None));
    assert_eq!(signals("exit 125"), None);
}

#[test]
fn signals_must_be_an_object() {
    for (script, words) in [
        (r#"printf '{"facts": [\n  1,,\n]}' > "$FIRSTBAD_SIGNALS""#, "line 2 column 5"),
        (r#"echo '[1]' > "$FIRSTBAD_SIGNALS""#, "line 1 column 0"),
        (r#"echo '{} x' > "$FIRSTBAD_SIGNALS""#, "trailing"),
        (r#"head -c 20000000 /dev/zero > "$FIRSTBAD_SIGNALS""#, "more than 16777216 bytes"),
        (r#"mkfifo "$FIRSTBAD_SIGNALS""#, "it is not a file"),
        (r#"mkdir "$FIRSTBAD_SIGNALS""#, "it is not a file"),
        (r#"ln -s /dev/zero "$FIRSTBAD_SIGNALS""#, "ymbolic link"),
    ] {
        let error = run(script, |_| {}).unwrap_err().to_string();
        assert!(error.contains("FIRSTBAD_SIGNALS") && error.contains(words), "{script}: {error}");
    }
    let deep = r#"{ printf '{"a":'; head -c 100000 /dev/zero | tr '\0' '['; } > "$FIRSTBAD_SIGNALS""#;
    assert!(run(deep, |_| {}).unwrap_err().to_string().contains("recursion limit"));
}

#[test]
fn a_later_run_replaces_any_file_at_the_path_of_signals() {
    let repo = Repo::new();
    repo.write("f", "1\n");
    repo.commit("one");
    let script = r#"test -e "$FIRSTBAD_WORKTREE.signals" && exit 1; mkdir -p "$FIRSTBAD_SIGNALS/a/b""#;
    let oracle = CommandOracle::new(&repo.open(), sh(script), repo.options()).unwrap();
    for _ in 0..2 {
        assert!(oracle.run("HEAD").unwrap_err().to_string().contains("it is not a file"));
    }
}
