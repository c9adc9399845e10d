//! The options of the command line have the values and defaults of the options table.

use clap::{Arg, CommandFactory, Parser};
use serde_json::Value;

use super::help::has_page;
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
fn options_offer_the_values_of_the_table() {
    for (command, algorithm, name) in [
        ("run", "regression", "search"),
        ("run", "regression", "prefer"),
        ("init", "regression", "search"),
        ("minimize", "minimize", "algorithm"),
        ("minimize", "minimize", "keep"),
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
fn defaults_of_run_are_those_of_the_table() {
    let Command::Run(run) = Cli::parse_from(["firstbad", "run", "--bad", "main", "--", "true"]).command else {
        unreachable!("the command is `run`")
    };
    let configuration = serde_json::to_value(run.search.configuration().unwrap()).unwrap();
    for (name, value) in configuration.as_object().unwrap() {
        match name.as_str() {
            "bad" => assert_eq!(value, &Value::from(vec!["main"])),
            "find_good" => assert_eq!(value, true, "without --good, a command looks for a good revision"),
            "test_endpoints" => assert_eq!(value, true, "a command tests its endpoints"),
            _ => assert_eq!(value, &option("regression", name)["default"], "{name}"),
        }
    }
}

#[test]
fn defaults_of_slice_are_those_of_the_table() {
    let Command::Slice(slice) = Cli::parse_from(["firstbad", "slice", "--base", "v1", "--", "true"]).command else {
        unreachable!("the command is `slice`")
    };
    for (name, value) in slice.search.configuration().as_object().unwrap() {
        match name.as_str() {
            // The command line has a repository, so it can compare hunks and definitions.
            "dependencies" => assert_eq!(value, "auto"),
            "history" => {
                assert_eq!(value["granularity"], option("slice", "history")["properties"]["granularity"]["default"])
            }
            _ => assert_eq!(*value, option("slice", name)["default"], "{name}"),
        }
    }
}

#[test]
fn flags_in_messages_exist() {
    let commands = Cli::program();
    let exists = |flag: &str| {
        let is_shown = |argument: &Arg| !argument.is_hide_set() || has_page(argument);
        let is_it = |argument: &&Arg| argument.get_long() == flag.strip_prefix("--") && is_shown(argument);
        commands.get_subcommands().any(|command| command.get_arguments().any(|argument| is_it(&argument)))
    };
    let missing: Vec<String> = firstbad::Spelling::flags().filter(|flag| !exists(flag)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn keys_of_the_config_file_in_messages_exist() {
    let commands = Cli::program();
    let run = commands.find_subcommand("run").unwrap();
    let exists =
        |key: &str| run.get_arguments().any(|argument| argument.get_long() == Some(key) && argument.is_hide_set());
    let missing: Vec<String> = firstbad::Spelling::config_keys().filter(|key| !exists(key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
