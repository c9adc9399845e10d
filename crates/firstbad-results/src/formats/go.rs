//! The lines of `go test -json`.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;

use super::lines::{is_cut, numbered};
use crate::case::Case;
use crate::collector::Collector;
use crate::error::ResultsError;
use crate::limits::{DEEPEST, LONGEST_TEXT, MOST_CASES, append};
use crate::report::Scope;
use crate::runner::Runner;
use crate::signature::Failure;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Line<'a> {
    #[serde(borrow)]
    action: Cow<'a, str>,
    #[serde(borrow, default)]
    package: Cow<'a, str>,
    #[serde(borrow, default)]
    import_path: Cow<'a, str>,
    #[serde(borrow, default)]
    test: Cow<'a, str>,
    #[serde(borrow, default)]
    output: Cow<'a, str>,
    elapsed: Option<f64>,
}

/// The tests that run and the output of a package.
#[derive(Default)]
struct Package {
    output: String,
    has_failed_test: bool,
    running: HashMap<String, Running>,
}

#[derive(Default)]
struct Running {
    output: String,
    has_subtests: bool,
}

/// Reads the lines. Other lines, such as errors of the compiler, are ignored.
///
/// # Errors
/// An error about a limit.
pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), ResultsError> {
    collector.recognized(Runner::Go);
    let mut packages: HashMap<String, Package> = HashMap::new();
    let mut running = 0_usize;
    for (_, line) in numbered(text) {
        let Ok(line) = serde_json::from_str::<Line<'_>>(line.trim()) else { continue };
        // The import path of a build has the test binary behind a space.
        let name = if line.package.is_empty() {
            line.import_path.split(' ').next().unwrap_or_default()
        } else {
            &line.package
        };
        if !packages.contains_key(name) {
            packages.insert(name.to_owned(), Package::default());
        }
        let Some(package) = packages.get_mut(name) else { continue };
        match &*line.action {
            "output" | "build-output" if line.test.is_empty() => {
                append(&mut package.output, &line.output, LONGEST_TEXT)
            }
            "run" => {
                running += 1;
                if running > MOST_CASES {
                    return Err(ResultsError::TooManyTests);
                }
                let parent = line.test.rsplit_once('/').map(|(parent, _)| parent);
                if let Some(parent) = parent.and_then(|parent| outer(package, parent)) {
                    parent.has_subtests = true;
                }
                package.running.insert(line.test.into_owned(), Running::default());
            }
            "output" => {
                if let Some(test) = package.running.get_mut(&*line.test).filter(|_| !is_frame(&line.output)) {
                    append(&mut test.output, &line.output, LONGEST_TEXT);
                }
            }
            "pass" | "fail" | "skip" if !line.test.is_empty() => {
                let test = package.running.remove(&*line.test).unwrap_or_default();
                package.has_failed_test |= line.action == "fail";
                collector.push(case(name, &line, test))?;
            }
            "fail" if !package.has_failed_test => collector.push(whole(name, &package.output))?,
            _ => {}
        }
    }
    let mut unfinished: Vec<(&String, &String)> =
        packages.iter().flat_map(|(name, package)| package.running.keys().map(move |test| (name, test))).collect();
    unfinished.sort_unstable();
    for (package, test) in &unfinished {
        let class = Some((*package).clone());
        let failure = Failure { message: "the test did not end".to_owned(), ..Failure::default() };
        collector.push(Case { class, name: (*test).clone(), failure, ..Case::default() })?;
    }
    if is_cut(text) || !unfinished.is_empty() {
        collector.is_cut();
    }
    Ok(())
}

/// Returns the nearest running test around a subtest. The names of subtests can contain `/`.
fn outer<'a>(package: &'a mut Package, name: &str) -> Option<&'a mut Running> {
    let ends = std::iter::once(name.len()).chain(name.rmatch_indices('/').map(|(at, _)| at)).take(DEEPEST);
    let found = ends.map(|end| &name[..end]).find(|name| package.running.contains_key(*name))?.to_owned();
    package.running.get_mut(&found)
}

fn is_frame(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("=== ") || line.starts_with("--- ")
}

fn case(package: &str, line: &Line<'_>, test: Running) -> Case {
    let failure = match &*line.action {
        "fail" => failure(&test.output),
        "skip" => Failure { message: reason(&test.output), ..Failure::default() },
        _ => Failure::default(),
    };
    Case {
        class: Some(package.to_owned()),
        name: line.test.clone().into_owned(),
        scope: if test.has_subtests { Scope::Group } else { Scope::Test },
        passes: u32::from(line.action == "pass"),
        fails: u32::from(line.action == "fail"),
        skipped: line.action == "skip",
        seconds: line.elapsed,
        failure,
        ..Case::default()
    }
}

/// Returns a package that could not be built or whose tests could not be started.
fn whole(package: &str, output: &str) -> Case {
    let mut lines = output.lines().filter(|line| !line.starts_with('#') && !line.starts_with("FAIL")).map(str::trim);
    let message = lines.find(|line| !line.is_empty()).unwrap_or_default().to_owned();
    let failure = Failure { message, text: output.to_owned(), ..Failure::default() };
    Case { class: Some(package.to_owned()), scope: Scope::File, failure, ..Case::default() }
}

/// Separates the first message from its place: `    a_test.go:3: got 1, want 2`.
fn failure(output: &str) -> Failure {
    let panic = output.lines().find_map(|line| line.strip_prefix("panic: "));
    let (kind, message) = match panic {
        Some(panic) => (Some("panic".to_owned()), panic.split(" [recovered").next().unwrap_or(panic).to_owned()),
        None => (None, reason(output)),
    };
    Failure { kind, message, text: output.to_owned(), frame: None }
}

fn reason(output: &str) -> String {
    let line = output.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let place = line.split_once(": ").filter(|(place, _)| place.contains(".go:") && !place.contains(' '));
    place.map_or(line, |(_, message)| message).to_owned()
}
