//! Invalid input is rejected with the name of the argument.

use firstbad::{ChangeSet, Error, Target, open};
use serde_json::{Value, json};

/// Returns the invalid argument in a configuration for three items.
fn fault(configuration: &Value) -> Option<String> {
    let faults = ["minimize", "isolate"].map(|name| match open(name, 3, configuration) {
        Ok(_) => None,
        Err(Error::InvalidArgument { argument, .. }) => Some(argument),
        Err(other) => panic!("{configuration} gives {other}"),
    });
    assert_eq!(faults[0], faults[1], "both refuse the same");
    faults[0].clone()
}

#[test]
fn invalid_configurations_name_the_argument() {
    let cases = [
        (json!({"weights": [1, 2]}), "weights"),
        (json!({"weights": [1, 0, 1]}), "weights[1]"),
        (json!({"weights": [1, 1, -2]}), "weights[2]"),
        (json!({"dependencies": {"3": [0]}}), "dependencies"),
        (json!({"dependencies": {"1": [3]}}), "dependencies[1]"),
        (json!({"dependencies": {"1": [[0, 7]]}}), "dependencies[1]"),
        (json!({"dependencies": {"1": [[]]}}), "dependencies[1]"),
        (json!({"dependencies": {"1": [0, 0]}}), "dependencies[1]"),
        (json!({"dependencies": {"1": [[0, 2], [0, 2]]}}), "dependencies[1]"),
        (json!({"parents": [null, 0]}), "parents"),
        (json!({"parents": [null, 3, null]}), "parents[1]"),
        (json!({"parents": [1, 2, 0]}), "parents[0]"),
        (json!({"parents": [null, 1, null]}), "parents[1]"),
        (json!({"parents": [3, null, null, 4, 3]}), "parents[0]"),
        (json!({"depth": 0}), "depth"),
        (json!({"confidence": 1.0}), "confidence"),
        (json!({"confidence": 0.4}), "confidence"),
        (json!({"confidence": 0.9, "flake_rate": 1.0}), "flake_rate"),
        (json!({"confidence": 0.9, "false_pass_rate": -0.1}), "false_pass_rate"),
        (json!({"confidence": 0.9, "flake_rate": 0.5, "false_pass_rate": 0.5}), "false_pass_rate"),
        (json!({"guarantee": "best so far"}), "guarantee"),
        (json!({"guess": {"lines": 4}}), "guess"),
        (json!({"guess": {"lines": 2, "frames": [3]}}), "guess"),
        (json!({"guess": {"lines": 2, "dependencies": {"0": [3]}}}), "dependencies[0]"),
        (json!({"keep": "unresolved"}), "keep"),
        (json!({"algorithm": "quick"}), "algorithm"),
        (json!({"budget": 3}), "budget"),
    ];
    for (configuration, argument) in cases {
        assert_eq!(fault(&configuration).as_deref(), Some(argument), "{configuration}");
    }
}

#[test]
fn errors_suggest_only_valid_guarantees() {
    let error = open("minimize", 3, &json!({"guarantee": "one"})).err().expect("no guarantee").to_string();
    assert!(error.contains("1-minimal") && !error.contains("best so far"), "{error}");
}

#[test]
fn valid_configurations_are_accepted() {
    for configuration in [
        json!({}),
        json!({"weights": [1, 2.5, 1e-9]}),
        json!({"dependencies": {"0": [1], "1": [2], "2": [0, [0, 1]]}}),
        json!({"dependencies": {"2": [[0, 1], 0, [1, 0]]}}),
        json!({"dependencies": {"2": []}}),
        json!({"parents": [3, 3, 0, 4, null, 4], "depth": 9}),
        json!({"confidence": 0.5, "flake_rate": 0, "false_pass_rate": {"passes": 1, "fails": 9}}),
    ] {
        assert_eq!(fault(&configuration), None, "{configuration}");
    }
}

#[test]
fn a_reduction_needs_items() {
    let Err(Error::InvalidArgument { argument, .. }) = open("minimize", 0, &json!({})) else { panic!("no items") };
    assert_eq!(argument, "items");
}

#[test]
fn invalid_sets_are_rejected() {
    let mut search = open("minimize", 3, &json!({})).expect("three items");
    let beyond: Target = ChangeSet::all(4).into();
    for target in [beyond, Target::from("main")] {
        assert_eq!(search.enqueue(&target).map_err(|error| error.code()), Err("invalid_argument"));
        let observed = search.observe(&target, firstbad::Outcome::Pass.into());
        assert_eq!(observed.map_err(|error| error.code()), Err("invalid_argument"));
    }
    assert_eq!(search.ask(0).map_err(|error| error.code()), Err("invalid_argument"));
    assert_eq!(search.wanted(0).map_err(|error| error.code()), Err("unknown_probe"));
    assert!(search.inspect().events(0).is_empty());
}
