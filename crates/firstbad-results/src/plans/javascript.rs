//! Jest, Vitest, Mocha, and Node's test runner: patterns that match the full names of tests.

use super::escape::{Dialect, any_of, escape};
use super::plan::{Plan, PlannedFile, Request, ResultsAt, file, files_of, in_batches, place_and_name, plain};
use super::words::{Arguments, TESTS};
use crate::error::ResultsError;
use crate::format::Format;
use crate::runner::Runner;

/// The reporter for Node, which writes the file of each test. Node's JUnit XML has no files before version 22.
const REPORTER: &str = include_str!("files/firstbad_node_reporter.mjs");

fn length(id: &str) -> usize {
    // The file and the escaped name can both be arguments.
    id.len() + escape(id, Dialect::JavaScript).len() + 2
}

/// Returns the full name of an id, whose parts are joined by spaces.
fn full_name(id: &str) -> String {
    place_and_name(id).1.replace(" > ", " ")
}

pub(super) fn plan(runner: Runner, request: &Request<'_>) -> Result<Vec<Plan>, ResultsError> {
    in_batches(request, length, |tests, number| {
        let path = request.path(&format!("results-{number}.json"));
        let names: Option<Vec<String>> = tests.map(|tests| tests.iter().map(|id| full_name(id)).collect());
        // The id of a whole file has no name. Then all tests of the files run.
        let names = names.filter(|names| names.iter().all(|name| !name.is_empty()));
        let pattern = names.map(|names| any_of(names.iter().map(String::as_str), Dialect::JavaScript));
        let files = tests.and_then(|tests| files_of(tests, &request.tree)).unwrap_or_default();
        let mut arguments = Arguments::default();
        let mut add = |words: &[&str]| arguments.options.extend(words.iter().map(|word| (*word).to_owned()));
        let name = if runner == Runner::Mocha { "--grep" } else { "-t" };
        let format = match runner {
            Runner::Jest => {
                add(&["--json", &format!("--outputFile={path}"), "--bail=0"]);
                add(if files.is_empty() { &[] } else { &["--runTestsByPath"] });
                Format::Jest
            }
            Runner::Vitest => {
                let is_run = request.command.iter().any(|word| word == "run" || word == "--run");
                add(if is_run { &[] } else { &["--run"] });
                add(&["--reporter=json", &format!("--outputFile.json={path}"), "--bail=0"]);
                Format::Jest
            }
            _ => {
                add(&["--reporter", "json", "--reporter-option", &format!("output={path}"), "--no-bail"]);
                Format::Mocha
            }
        };
        if let Some(pattern) = &pattern {
            add(&[name, pattern]);
        }
        // Mocha adds files to those of its configuration, so they choose nothing.
        if runner != Runner::Mocha {
            arguments.operands = files;
        }
        plain(request.command, tests, arguments, file(format, path))
    })
}

/// Plans for `node --test`. Node before version 22 compares a pattern with the last part of a name, and newer versions with the
/// full name, so the pattern has both.
pub(super) fn plan_node(request: &Request<'_>) -> Result<Vec<Plan>, ResultsError> {
    let command = without_reporters(request.command);
    in_batches(request, length, |tests, number| {
        let path = request.path(&format!("results-{number}.jsonl"));
        let reporter = request.path("firstbad_node_reporter.mjs");
        let mut options = vec![format!("--test-reporter={reporter}"), format!("--test-reporter-destination={path}")];
        let mut names: Vec<String> = tests.into_iter().flatten().flat_map(|id| names(id, request.again)).collect();
        names.sort_unstable();
        names.dedup();
        if !names.is_empty() && !names.iter().any(String::is_empty) {
            options
                .push(format!("--test-name-pattern={}", any_of(names.iter().map(String::as_str), Dialect::JavaScript)));
        }
        let mut arguments = Arguments { options, ..Arguments::default() };
        if !has_operands(&command) {
            arguments.operands = tests.and_then(|tests| files_of(tests, &request.tree)).unwrap_or_default();
        }
        let mut plan = insert_node(&command, tests, arguments, file(Format::Jsonl, path))?;
        plan.files = vec![PlannedFile { path: reporter, content: REPORTER.to_owned() }];
        Ok(plan)
    })
}

/// Returns the names that a pattern must match. Node skips a subtest of a test whose own name does not match, so the names of the
/// parents are added if the test had no result.
fn names(id: &str, with_parents: bool) -> Vec<String> {
    let (_, name) = place_and_name(id);
    let parts: Vec<&str> = name.split(" > ").collect();
    let mut names = vec![name.replace(" > ", " "), parts.last().copied().unwrap_or_default().to_owned()];
    if with_parents {
        names.extend(parts.iter().map(|part| (*part).to_owned()));
    }
    names
}

/// Puts the options behind `--test`, because all words behind a file are for the script.
fn insert_node(
    command: &[String],
    tests: Option<&[String]>,
    arguments: Arguments,
    results: ResultsAt,
) -> Result<Plan, ResultsError> {
    let mut command = command.to_vec();
    let place = command.iter().position(|word| word == "--test");
    if let Some(place) = place.filter(|_| !command.iter().any(|word| word.contains(TESTS))) {
        command.splice(place + 1..place + 1, arguments.options);
        command.extend(arguments.operands);
        let environment = Vec::new();
        let tests = tests.map(<[String]>::to_vec);
        return Ok(Plan { tests, argv: command, environment, files: Vec::new(), results });
    }
    plain(&command, tests, arguments, results)
}

/// Removes the user's reporters, because Node needs a destination for each reporter.
fn without_reporters(command: &[String]) -> Vec<String> {
    let is_reporter = |word: &str| word == "--test-reporter" || word == "--test-reporter-destination";
    let mut is_value = false;
    let kept = command.iter().filter(|word| {
        let is_removed =
            is_value || is_reporter(word) || word.split_once('=').is_some_and(|(name, _)| is_reporter(name));
        is_value = !is_value && is_reporter(word);
        !is_removed
    });
    kept.cloned().collect()
}

/// Returns whether the user named files.
fn has_operands(command: &[String]) -> bool {
    let behind = command.iter().skip_while(|word| *word != "--test").skip(1);
    let is_script = |word: &str| [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"].iter().any(|end| word.ends_with(end));
    behind
        .filter(|word| !word.starts_with('-'))
        .any(|word| is_script(word) || word.contains('*') || word.ends_with('/'))
}
