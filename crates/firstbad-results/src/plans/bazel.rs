//! Bazel: labels, and the `test.xml` of each target.

use super::plan::{MOST_ARGUMENTS, Place, Plan, PlannedFile, Request, ResultsAt, plain};
use super::words::{Arguments, TESTS};
use crate::error::ResultsError;
use crate::format::Format;

/// A target that cannot be built must not stop the others, and a repeated run must be a run.
const OPTIONS: [&str; 2] = ["--keep_going", "--nocache_test_results"];

/// The link to the results in the workspace.
const RESULTS: &str = "bazel-testlogs";

pub(super) fn plan(request: &Request<'_>) -> Result<Vec<Plan>, ResultsError> {
    let place = Place::Folder { path: RESULTS.to_owned(), name: "test.xml".to_owned() };
    let results = ResultsAt { format: Some(Format::Junit), place };
    let mut arguments = Arguments { options: OPTIONS.map(str::to_owned).to_vec(), ..Arguments::default() };
    let mut command = request.command.to_vec();
    let mut files = Vec::new();
    if let Some(tests) = request.tests {
        command.retain(|word| !is_pattern(word));
        if !command.iter().any(|word| word.contains(TESTS)) {
            // Without patterns, nothing follows the dashes.
            command.retain(|word| word != "--");
        }
        // An id must not become an option.
        let is_label = |test: &&String| test.starts_with(['/', '@', ':']) && !test.contains(['\n', '\r']);
        let labels: Vec<String> = tests.iter().filter(is_label).cloned().collect();
        if labels.iter().map(|label| label.len() + 1).sum::<usize>() > MOST_ARGUMENTS {
            let list = request.path("targets.txt");
            arguments.options.push(format!("--target_pattern_file={list}"));
            files.push(PlannedFile { path: list, content: labels.join("\n") + "\n" });
        } else {
            arguments.operands = labels;
        }
    }
    let plan = plain(&command, request.tests, arguments, results)?;
    Ok(vec![Plan { files, ..plan }])
}

fn is_pattern(word: &str) -> bool {
    let word = word.strip_prefix('-').unwrap_or(word);
    word.starts_with("//") || word.starts_with('@') || word.starts_with(':') || word.ends_with("...")
}

/// Returns the label of a `test.xml`: `bazel-testlogs/shop/prices_test/test.xml` belongs to `//shop:prices_test`.
///
/// The folders of shards, runs, and attempts are not parts of the label. Returns `None` for a path without a target.
#[must_use]
pub fn bazel_label(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let (_, inside) = path.split_once("testlogs/")?;
    let is_part = |folder: &str| {
        let is_numbered = |start: &str| {
            folder.strip_prefix(start).is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
        };
        folder == "test_attempts" || is_numbered("shard_") || is_numbered("run_")
    };
    let mut folders: Vec<&str> = inside.split('/').collect();
    folders.pop();
    while folders.last().is_some_and(|folder| is_part(folder)) {
        folders.pop();
    }
    let name = folders.pop().filter(|name| !name.is_empty())?;
    Some(format!("//{}:{name}", folders.join("/")))
}
