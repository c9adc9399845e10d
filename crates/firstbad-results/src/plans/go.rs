//! `go test`: a pattern for each package.

use std::collections::HashMap;
use std::hash::Hash;

use super::escape::{Dialect, any_of};
use super::plan::MOST_ARGUMENTS;
use super::plan::{Place, Plan, Request, ResultsAt, plain};
use super::words::{Arguments, TESTS, batches};
use crate::error::ResultsError;
use crate::format::Format;

pub(super) fn plan(request: &Request<'_>) -> Result<Vec<Plan>, ResultsError> {
    let options = || ["-json", "-count=1"].map(str::to_owned).to_vec();
    let Some(tests) = request.tests else {
        return Ok(vec![make(request.command, None, options(), None)?]);
    };
    // An id must not become an option.
    let package =
        |test: &String| test.split_once("::").map(|(name, _)| name.to_owned()).filter(|name| !name.starts_with('-'));
    let packages = grouped(tests.iter().map(|test| (package(test), test.clone())));
    let mut plans = Vec::new();
    for (package, tests) in &packages {
        for batch in batches(tests, |id| 2 * id.len() + 8, MOST_ARGUMENTS) {
            let mut options = options();
            options.extend(["-run".to_owned(), pattern(batch)]);
            plans.push(make(request.command, Some(batch), options, package.as_deref())?);
        }
    }
    Ok(plans)
}

/// Makes a plan for the tests of one package, which replaces the packages of the command.
fn make(
    command: &[String],
    tests: Option<&[String]>,
    options: Vec<String>,
    package: Option<&str>,
) -> Result<Plan, ResultsError> {
    let results = ResultsAt { format: Some(Format::Go), place: Place::Output };
    let mut command = command.to_vec();
    if package.is_some() {
        command.retain(|word| !is_package(word));
    }
    if command.iter().any(|word| word.contains(TESTS)) {
        let operands = package.map(str::to_owned).into_iter().collect();
        return plain(&command, tests, Arguments { options, operands, ..Arguments::default() }, results);
    }
    // All words behind the packages can be for the test binary, so the options follow `test`.
    let Some(place) = command.windows(2).position(|two| two[0].ends_with("go") && two[1] == "test") else {
        return Err(ResultsError::NoPlace { command: command.join(" ") });
    };
    let arguments = options.into_iter().chain(package.map(str::to_owned));
    let mut argv = command.clone();
    // A package must follow all flags of `go test`, and `-args` ends them.
    let end = command.iter().position(|word| word == "-args" || word == "--args").unwrap_or(command.len());
    let (flags, package): (Vec<String>, Vec<String>) = arguments.partition(|word| Some(word.as_str()) != package);
    argv.splice(end..end, package);
    argv.splice(place + 2..place + 2, flags);
    let tests = tests.map(<[String]>::to_vec);
    Ok(Plan { tests, argv, environment: Vec::new(), files: Vec::new(), results })
}

fn is_package(word: &str) -> bool {
    word == "."
        || word == ".."
        || word == "all"
        || word.starts_with("./")
        || word.starts_with("../")
        || word.ends_with("/...")
}

/// Returns a pattern for tests. Subtests of one test share a pattern, and `|` between patterns needs Go 1.20.
fn pattern(tests: &[String]) -> String {
    let parts = |test: &'_ String| {
        let name = test.split_once("::").map_or(test.as_str(), |(_, name)| name);
        let (parent, last) = name.rsplit_once('/').unwrap_or(("", name));
        (parent.to_owned(), last.to_owned())
    };
    let groups: Vec<String> = grouped(tests.iter().map(parts))
        .iter()
        .map(|(parent, names)| {
            let parents = parent.split('/').filter(|part| !part.is_empty()).map(|part| any_of([part], Dialect::Go));
            let names = any_of(names.iter().map(String::as_str), Dialect::Go);
            parents.chain(std::iter::once(names)).collect::<Vec<_>>().join("/")
        })
        .collect();
    groups.join("|")
}

/// Groups values by their keys, in the order of the first key.
fn grouped<K: Clone + Eq + Hash, V>(pairs: impl Iterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in pairs {
        let place = *places.entry(key.clone()).or_insert(groups.len());
        if place == groups.len() {
            groups.push((key, Vec::new()));
        }
        groups[place].1.push(value);
    }
    groups
}
