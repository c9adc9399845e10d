//! What the command line calls an option may differ; what it offers and what it takes by default are the table's.

use clap::{Arg, CommandFactory, Parser};
use serde_json::Value;

use super::{Cli, Command};

fn option(algorithm: &str, name: &str) -> Value {
    let table: Value = serde_json::from_str(firstbad::OPTIONS).unwrap();
    table["$defs"][algorithm]["properties"][name].clone()
}

fn argument(command: &str, name: &str) -> Arg {
    let cli = Cli::command();
    let command = cli.find_subcommand(command).unwrap();
    command.get_arguments().find(|argument| argument.get_id() == name).unwrap().clone()
}

#[test]
fn the_same_values_can_be_chosen() {
    for (command, algorithm, name) in [
        ("run", "regression", "search"),
        ("run", "regression", "prefer"),
        ("init", "regression", "search"),
        ("reduce", "minimize", "algorithm"),
        ("reduce", "minimize", "keep"),
        ("port", "port", "algorithm"),
        ("port", "port", "granularity"),
        ("port", "port", "walk"),
        ("slice", "slice", "algorithm"),
        ("slice", "slice", "scheme"),
        ("slice", "slice", "keep"),
        ("slice", "slice", "guarantee"),
    ] {
        let offered: Vec<String> =
            argument(command, name).get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        assert_eq!(Value::from(offered), option(algorithm, name)["enum"], "{command} --{name}");
    }
}

#[test]
fn what_is_not_given_is_the_cores() {
    let Command::Run(run) = Cli::parse_from(["firstbad", "run", "--bad", "main", "--", "true"]).command else {
        unreachable!("`run` is what was given")
    };
    let configuration = serde_json::to_value(run.search.configuration().unwrap()).unwrap();
    for (name, value) in configuration.as_object().unwrap() {
        match name.as_str() {
            "bad" => assert_eq!(value, &Value::from(vec!["main"])),
            "find_good" => assert_eq!(value, true, "a command looks for an older end, where none is given"),
            "test_endpoints" => assert_eq!(value, true, "a command tests its ends, unless with --no-test-endpoints"),
            _ => assert_eq!(value, &option("regression", name)["default"], "{name}"),
        }
    }
}

#[test]
fn what_is_not_given_of_a_slice_is_the_cores() {
    let Command::Slice(slice) = Cli::parse_from(["firstbad", "slice", "--base", "v1", "--", "true"]).command else {
        unreachable!("`slice` is what was given")
    };
    for (name, value) in slice.search.configuration("v1").as_object().unwrap() {
        match name.as_str() {
            // Who has a repository has more: a history, and what its lines say.
            "dependencies" => assert_eq!(value, "auto"),
            "history" => {
                assert_eq!(value["granularity"], option("slice", "history")["properties"]["granularity"]["default"])
            }
            _ => assert_eq!(*value, option("slice", name)["default"], "{name}"),
        }
    }
}

#[test]
fn messages_name_flags_that_exist() {
    let commands = Cli::command();
    let exists = |flag: &str| {
        let is_it = |argument: &clap::Arg| argument.get_long() == flag.strip_prefix("--");
        commands.get_subcommands().any(|command| command.get_arguments().any(is_it))
    };
    let missing: Vec<String> = firstbad::Spelling::flags().filter(|flag| !exists(flag)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
