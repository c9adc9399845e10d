//! `cargo test` and cargo-nextest: exact names.

use super::plan::{Place, Plan, PlannedFile, Request, ResultsAt, file, in_batches, plain};
use super::words::Arguments;
use crate::error::ResultsError;
use crate::format::Format;
use crate::rust_id;

pub(super) fn plan_cargo(request: &Request<'_>) -> Result<Vec<Plan>, ResultsError> {
    let results = || ResultsAt { format: Some(Format::Libtest), place: Place::Output };
    in_batches(
        request,
        |id| id.len() + 1,
        |tests, _| {
            let has_option = request.command.iter().any(|word| word == "--no-fail-fast");
            let options = if has_option { Vec::new() } else { vec!["--no-fail-fast".to_owned()] };
            let mut arguments = Arguments { options, ..Arguments::default() };
            if let Some(tests) = tests {
                let mut names: Vec<String> = tests.iter().map(|id| rust_id::parts(id).1.to_owned()).collect();
                names.sort_unstable();
                names.dedup();
                // An id must not become an option.
                names.retain(|name| !name.starts_with('-'));
                arguments.behind = std::iter::once("--exact".to_owned()).chain(names).collect();
            }
            plain(request.command, tests, arguments, results())
        },
    )
}

pub(super) fn plan_nextest(request: &Request<'_>) -> Result<Vec<Plan>, ResultsError> {
    const PROFILE: &str = "firstbad";
    let chosen = profile(request.command);
    in_batches(
        request,
        |id| id.len() + "(binary_id(=) & test(=)) | ".len(),
        |tests, number| {
            let path = request.path(&format!("results-{number}.xml"));
            let config = request.path(&format!("nextest-{number}.toml"));
            let mut options = vec![format!("--tool-config-file=firstbad:{config}"), "--no-fail-fast".to_owned()];
            if chosen.is_none() {
                options.push(format!("--profile={PROFILE}"));
            }
            if let Some(tests) = tests {
                options.push("-E".to_owned());
                options.push(tests.iter().map(|id| expression(id)).collect::<Vec<_>>().join(" | "));
            }
            let arguments = Arguments { options, ..Arguments::default() };
            let command = without_fail_fast(request.command);
            let mut plan = plain_before_dashes(&command, tests, arguments, file(Format::Junit, path.clone()))?;
            let profile = chosen.unwrap_or(PROFILE);
            // These texts are quoted in TOML as in JSON.
            let [profile, path] = [profile, path.as_str()].map(serde_json::Value::from);
            let content = format!("[profile.{profile}.junit]\npath = {path}\n");
            plan.files = vec![PlannedFile { path: config, content }];
            Ok(plan)
        },
    )
}

/// Puts the options before `--`, whose words are for the test binaries.
fn plain_before_dashes(
    command: &[String],
    tests: Option<&[String]>,
    arguments: Arguments,
    results: ResultsAt,
) -> Result<Plan, ResultsError> {
    let mut command = command.to_vec();
    let dashes = command.iter().position(|word| word == "--");
    if let Some(at) = dashes.filter(|_| !command.iter().any(|word| word.contains(super::words::TESTS))) {
        command.splice(at..at, arguments.options);
        let tests = tests.map(<[String]>::to_vec);
        return Ok(Plan { tests, argv: command, environment: Vec::new(), files: Vec::new(), results });
    }
    plain(&command, tests, arguments, results)
}

fn without_fail_fast(command: &[String]) -> Vec<String> {
    command.iter().filter(|word| !matches!(word.as_str(), "--fail-fast" | "--no-fail-fast")).cloned().collect()
}

/// Returns the profile that the user chose.
fn profile(command: &[String]) -> Option<&str> {
    let place = command.iter().position(|word| matches!(word.as_str(), "--profile" | "-P"));
    let inline = || command.iter().find_map(|word| word.strip_prefix("--profile="));
    place.and_then(|place| command.get(place + 1)).map(String::as_str).or_else(inline)
}

fn expression(id: &str) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace(')', "\\)").replace(',', "\\,");
    match rust_id::parts(id) {
        ("", name) => format!("test(={})", escaped(name)),
        (binary, name) => format!("(binary_id(={}) & test(={}))", escaped(binary), escaped(name)),
    }
}
