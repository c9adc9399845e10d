//! Definitions for tracers.

// The commands here are scripts of a Unix shell.
#![cfg(unix)]

use crate::common::{Repo, sh};
use firstbad::SlicedHistory;
use firstbad_git::Slices;
use firstbad_oracle::CommandOracle;
use serde_json::{Value, json};

/// Two functions, and a change to each.
fn history() -> (Repo, Slices) {
    let repo = Repo::new();
    let program = |one: u8, two: u8| format!("def f():\n    return {one}\n\n\ndef g():\n    return {two}\n");
    repo.write("shop/a.py", &program(1, 1));
    let base = repo.commit("base");
    repo.write("shop/a.py", &program(2, 1));
    repo.commit("f");
    repo.write("shop/a.py", &program(2, 2));
    repo.commit("g");
    let options = SlicedHistory { base, tip: "main".to_owned(), ..SlicedHistory::default() };
    let slices = Slices::open(&repo.open(), &options, Some(&repo.temp.join("slices"))).unwrap();
    (repo, slices)
}

#[test]
fn a_test_is_told_which_definitions_change() {
    let (repo, slices) = history();
    let script = r#"test -n "$FIRSTBAD_DEFINITIONS" && cp "$FIRSTBAD_DEFINITIONS" "$OUT"; exit 0"#;
    let out = repo.temp.join("definitions.json");
    let mut options = repo.options();
    options.env = vec![("OUT".to_owned(), out.display().to_string())];
    let oracle = CommandOracle::new(&repo.open(), sh(script), options.clone()).unwrap();
    oracle.run("main").unwrap();
    assert!(!out.exists(), "nobody asked for them");
    for _ in 0..2 {
        oracle.trace(&slices).unwrap();
        oracle.run("main").unwrap();
        let told: Value = serde_json::from_slice(&std::fs::read(&out).unwrap()).unwrap();
        let expected = ["f", "g"].map(|name| json!({"file": "shop/a.py", "name": name, "kind": "function"}));
        assert_eq!(told, json!(expected));
    }
    // Who names some knows better.
    options.env.push(("FIRSTBAD_DEFINITIONS".to_owned(), out.display().to_string()));
    let oracle = CommandOracle::new(&repo.open(), sh(r#"test "$FIRSTBAD_DEFINITIONS" = "$OUT""#), options).unwrap();
    oracle.trace(&slices).unwrap();
    assert_eq!(oracle.run("main").unwrap().outcome, firstbad::Outcome::Pass);
}
