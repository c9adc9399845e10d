//! Definitions for tracers.

// The commands are Unix shell scripts.
#![cfg(unix)]

use crate::common::{changed_functions, sh};
use firstbad_oracle::CommandOracle;
use serde_json::{Value, json};

#[test]
fn tests_receive_the_changed_definitions() {
    let (repo, slices) = changed_functions();
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
    // A variable from `env` takes precedence.
    options.env.push(("FIRSTBAD_DEFINITIONS".to_owned(), out.display().to_string()));
    let oracle = CommandOracle::new(&repo.open(), sh(r#"test "$FIRSTBAD_DEFINITIONS" = "$OUT""#), options).unwrap();
    oracle.trace(&slices).unwrap();
    assert_eq!(oracle.run("main").unwrap().outcome, firstbad::Outcome::Pass);
}
