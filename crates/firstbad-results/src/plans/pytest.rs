//! pytest: files as arguments, and a plugin that keeps the wanted node ids and writes JSON lines.

use super::plan::{EnvironmentChange, MOST_ARGUMENTS, Plan, PlannedFile, Request, file, files_of, plain};
use super::words::{Arguments, TESTS};
use crate::command::name;
use crate::error::ResultsError;
use crate::format::Format;

/// The plugin. pytest loads it by the name of its file.
const PLUGIN: &str = include_str!("files/firstbad_pytest_results.py");
const NAME: &str = "firstbad_pytest_results";

pub(super) fn plan(request: &Request<'_>) -> Result<Vec<Plan>, ResultsError> {
    // A file that cannot be imported, or `-x` in the configuration, must not stop the other tests.
    let options = ["-p", NAME, "--continue-on-collection-errors", "--maxfail=0"];
    let mut arguments = Arguments { options: options.map(str::to_owned).to_vec(), ..Arguments::default() };
    let mut files = request.tests.and_then(|tests| files_of(tests, &request.tree)).unwrap_or_default();
    // A missing file ends pytest, and the folder of the ids can be another one. Then pytest collects all tests.
    files.retain(|file| request.tree.has(file));
    if !has_paths(request) {
        arguments.operands = short(files);
    }
    let results = request.path("results.jsonl");
    let variable = |name: &str, value: String| EnvironmentChange { name: name.to_owned(), value, is_first: false };
    let plugins = EnvironmentChange { is_first: true, ..variable("PYTHONPATH", request.folder.to_owned()) };
    let mut plan = plain(request.command, request.tests, arguments, file(Format::Jsonl, results.clone()))?;
    plan.environment = vec![plugins, variable("FIRSTBAD_PYTEST_RESULTS", results)];
    plan.files = vec![PlannedFile { path: request.path(&format!("{NAME}.py")), content: PLUGIN.to_owned() }];
    if let Some(tests) = request.tests {
        let wanted = request.path("tests.json");
        let content = serde_json::Value::from(tests.to_vec()).to_string();
        plan.environment.push(variable("FIRSTBAD_PYTEST_TESTS", wanted.clone()));
        plan.files.push(PlannedFile { path: wanted, content });
    }
    Ok(vec![plan])
}

/// Returns whether the user chose paths, so that the plugin only has to keep the tests.
fn has_paths(request: &Request<'_>) -> bool {
    let start = request.command.iter().position(|word| matches!(name(word), "pytest" | "py.test"));
    let behind = request.command.get(start.map_or(0, |start| start + 1)..).unwrap_or_default();
    let is_path = |word: &String| !word.starts_with('-') && (word.contains('/') || word.ends_with(".py"));
    !request.command.iter().any(|word| word.contains(TESTS)) && behind.iter().any(is_path)
}

/// Returns the files, or their folders if the files are too many for a command, or nothing.
fn short(files: Vec<String>) -> Vec<String> {
    let length = |paths: &[String]| paths.iter().map(|path| path.len() + 1).sum::<usize>();
    if length(&files) <= MOST_ARGUMENTS {
        return files;
    }
    let mut folders: Vec<String> =
        files.iter().map(|file| file.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned()).collect();
    folders.sort_unstable();
    folders.dedup();
    if length(&folders) <= MOST_ARGUMENTS { folders } else { Vec::new() }
}
