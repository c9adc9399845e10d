//! Custom runners: `{tests}`, `{tests_file}`, and results at a place that the user names.

use super::plan::{EnvironmentChange, Place, Plan, PlannedFile, Request, in_batches};
use super::words::{TESTS, TESTS_FILE, replaced};
use crate::command::is_script;
use crate::error::ResultsError;

/// The variable with the path of the file with ids.
const VARIABLE: &str = "FIRSTBAD_TESTS_FILE";

pub(super) fn plan(request: &Request<'_>) -> Result<Vec<Plan>, ResultsError> {
    let given = || ResultsError::UnknownResults { given: String::new() };
    let results = request.results.ok_or_else(given)?;
    let has = |word: &str| request.command.iter().any(|given| given.contains(word));
    if !has(TESTS) && !has(TESTS_FILE) && results.place == Place::ExitCode && request.tests.is_some() {
        return Err(ResultsError::NoPlace { command: request.command.join(" ") });
    }
    let is_alone = results.place == Place::ExitCode;
    let length = |id: &str| match (is_alone, has(TESTS)) {
        // A length above all limits puts every test into its own plan.
        (true, _) => usize::MAX / 2,
        (false, true) => 2 * id.len() + 3,
        (false, false) => 0,
    };
    in_batches(request, length, |tests, number| {
        let list = request.path(&format!("tests-{number}.txt"));
        // In a file, an id is one line. As an argument, it must not become an option.
        let is_wrong = |id: &&String| if has(TESTS) { id.starts_with('-') } else { id.contains(['\n', '\r']) };
        if let Some(id) = tests.and_then(|tests| tests.iter().find(is_wrong)) {
            return Err(ResultsError::UnwritableId { id: id.clone() });
        }
        let is_script = is_script(request.command);
        let quoted = |path: &str| if is_script { super::escape::quoted(path) } else { path.to_owned() };
        let with_file: Vec<String> =
            request.command.iter().map(|word| word.replace(TESTS_FILE, &quoted(&list))).collect();
        Ok(Plan {
            tests: tests.map(<[String]>::to_vec),
            argv: replaced(&with_file, tests.unwrap_or_default()),
            environment: vec![EnvironmentChange { name: VARIABLE.to_owned(), value: list.clone(), is_first: false }],
            files: vec![PlannedFile { path: list, content: lines(tests.unwrap_or_default()) }],
            results: results.clone(),
        })
    })
}

fn lines(tests: &[String]) -> String {
    tests.iter().flat_map(|test| [test.as_str(), "\n"]).collect()
}
