//! Options of suites.

use firstbad::{Error, KeepBuilds, json};
use firstbad_results::{ResultsError, Runner};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::CommandOptions;

/// Options of [`SuiteOracle`](crate::SuiteOracle) that a [`CommandOracle`](crate::CommandOracle) does not have.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SuiteOptions {
    /// The test runner: `"pytest"`, `"jest"`, `"vitest"`, `"mocha"`, `"node"`, `"cargo"`, `"nextest"`, `"go"`, `"ctest"`, `"bazel"`, or
    /// `"custom"`. By default, the runner that the command names, or a custom one if there is `results`.
    pub runner: Option<String>,
    /// The place of the results of a custom runner, as `FORMAT:PATH`. The format is `junit`, `tap`, `jest`, `mocha`, `go`, `libtest`, or
    /// `jsonl`. The path is relative to the worktree, or `-` for the output. `exit` runs one test at a time and takes its exit code.
    pub results: Option<String>,
    /// Regular expressions for failures of the machine, in the syntax of Rust's `regex` crate. A failure whose message matches is
    /// unresolved. They add to a built-in list: no space left, connection reset, name resolution, out of memory, and GPU drivers.
    pub infra: Vec<String>,
    /// The number of builds that stay in worktrees, or `"all"`. The default is 2. Tests that run in a kept build see the files that
    /// earlier tests left.
    #[cfg_attr(test, schemars(schema_with = "keep_builds"))]
    pub keep_builds: KeepBuilds,
}

#[cfg(test)]
pub(super) fn keep_builds(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "anyOf": [{ "minimum": 0, "type": "integer" }, { "const": "all" }] })
}

impl SuiteOptions {
    const NAMES: [&'static str; 4] = ["runner", "results", "infra", "keep_builds"];

    /// Reads these options and those of the command from one JSON object.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if an option is unknown or invalid. The error has its name, its value, and the valid values.
    pub fn read(value: &Value) -> Result<(SuiteOptions, CommandOptions), Error> {
        let mut command = value.clone();
        let mut own = Map::new();
        if let Some(fields) = command.as_object_mut() {
            own.extend(SuiteOptions::NAMES.iter().filter_map(|name| fields.remove_entry(*name)));
            own.retain(|_, value| !value.is_null());
        }
        Ok((json::options(&Value::Object(own))?, CommandOptions::read(&command)?))
    }

    /// Returns the runner: the named one, a custom one if there is a place of results, or the one that the command names.
    ///
    /// # Errors
    /// [`ResultsError::UnknownRunner`] or [`ResultsError::UnknownCommand`].
    pub fn runner_of(&self, command: &[String]) -> Result<Runner, ResultsError> {
        match self.runner.as_deref() {
            Some(name) => name.parse(),
            None if self.results.is_some() => Ok(Runner::Custom),
            None => {
                Runner::recognize(command).ok_or_else(|| ResultsError::UnknownCommand { command: command.join(" ") })
            }
        }
    }
}

/// Checks that no option is about a single outcome.
pub(crate) fn check(options: &CommandOptions) -> Result<(), Error> {
    options.refuse_judging("no value, because the test runner reports the result of each test")
}
