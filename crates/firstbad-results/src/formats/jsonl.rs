//! JSON lines: one object for each test, as firstbad's pytest plugin, its reporter for Node, and custom runners write them.
//!
//! ```text
//! {"runner": "pytest"}
//! {"started": "t.py::a"}
//! {"id": "t.py::a", "outcome": "fail", "seconds": 0.5, "type": "KeyError", "message": "'x'", "text": "...", "frame": "shop.py"}
//! ```

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use serde::Deserialize;
use serde_json::Value;

use super::json_error;
use super::lines::{is_cut, numbered};
use crate::case::Case;
use crate::collector::Collector;
use crate::error::ResultsError;
use crate::format::Format;
use crate::limits::{DEEPEST, LONGEST_TEXT, MOST_CASES, cut};
use crate::report::Scope;
use crate::signature::Failure;

#[derive(Deserialize)]
struct Line<'a> {
    /// A test that starts. If no result follows, the test is unresolved.
    #[serde(borrow)]
    started: Option<Cow<'a, str>>,
    runner: Option<Value>,
    #[serde(borrow, alias = "test")]
    id: Option<Cow<'a, str>>,
    /// `null` is an outcome.
    #[serde(default, deserialize_with = "present")]
    outcome: Option<Value>,
    #[serde(alias = "duration", alias = "time")]
    seconds: Option<f64>,
    #[serde(borrow, alias = "reason")]
    message: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    frame: Option<Cow<'a, str>>,
    #[serde(borrow)]
    file: Option<Cow<'a, str>>,
    #[serde(default)]
    suites: Vec<String>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(default)]
    scope: Scope,
    passes: Option<u32>,
    fails: Option<u32>,
}

fn present<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(reader).map(Some)
}

/// Reads the lines. Lines that are not objects with an outcome are ignored, because a test can print them.
///
/// # Errors
/// [`ResultsError::UnknownOutcome`] with the line, or an error about a limit.
pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), ResultsError> {
    let mut unfinished: HashMap<String, usize> = HashMap::new();
    let last = text.lines().count();
    for (number, line) in numbered(text) {
        let line = line.trim();
        if !line.starts_with('{') {
            continue;
        }
        let line = match serde_json::from_str::<Line<'_>>(line) {
            Ok(line) => line,
            // A crash can cut the last line.
            Err(_) if number == last && is_cut(text) => {
                collector.is_cut();
                continue;
            }
            Err(error) if line.contains("\"outcome\"") => return Err(json_error(Format::Jsonl, number - 1, &error)),
            Err(_) => continue,
        };
        if let Some(runner) = line.runner.as_ref().and_then(Value::as_str).and_then(|name| name.parse().ok()) {
            collector.recognized(runner);
        }
        if let Some(started) = &line.started {
            unfinished.insert(started.clone().into_owned(), number);
            if unfinished.len() > MOST_CASES {
                return Err(ResultsError::TooManyTests);
            }
        }
        if let Some(case) = case(line, number)? {
            if let Some(id) = &case.id {
                unfinished.remove(id);
            }
            collector.push(case)?;
        }
    }
    if !unfinished.is_empty() {
        collector.is_cut();
    }
    let mut unfinished: Vec<(String, usize)> = unfinished.into_iter().collect();
    unfinished.sort_unstable_by_key(|(_, number)| *number);
    for (id, _) in unfinished {
        let failure = Failure { message: "the test did not end".to_owned(), ..Failure::default() };
        collector.push(Case { id: Some(id), failure, ..Case::default() })?;
    }
    Ok(())
}

/// Returns the test case of a line, or `None` if the line has no result.
fn case(line: Line<'_>, number: usize) -> Result<Option<Case>, ResultsError> {
    let Some(outcome) = line.outcome.filter(|_| line.id.is_some() || line.name.is_some()) else { return Ok(None) };
    let (passes, fails, skipped) = counts(&outcome).ok_or_else(|| {
        let words = outcome.as_str().map_or_else(|| outcome.to_string(), str::to_owned);
        ResultsError::UnknownOutcome { line: number, outcome: cut(&words, 200).to_owned() }
    })?;
    let owned = |text: Option<Cow<'_, str>>| text.map(Cow::into_owned);
    let mut suites = line.suites;
    suites.truncate(DEEPEST);
    let text = line.text.as_deref().map_or("", |text| cut(text, LONGEST_TEXT)).to_owned();
    Ok(Some(Case {
        id: owned(line.id),
        file: owned(line.file),
        suites: suites.into_iter().map(Rc::from).collect(),
        name: owned(line.name).unwrap_or_default(),
        scope: line.scope,
        passes: line.passes.unwrap_or(passes),
        fails: line.fails.unwrap_or(fails),
        skipped,
        seconds: line.seconds,
        failure: Failure {
            kind: owned(line.kind),
            message: owned(line.message).unwrap_or_default(),
            text,
            frame: owned(line.frame),
        },
        ..Case::default()
    }))
}

/// Returns the passes, the failures, and whether the test was skipped.
fn counts(outcome: &Value) -> Option<(u32, u32, bool)> {
    let word = match outcome {
        Value::Bool(true) => return Some((1, 0, false)),
        Value::Bool(false) => return Some((0, 1, false)),
        Value::Null => return Some((0, 0, false)),
        Value::String(word) => word.to_ascii_lowercase(),
        _ => return None,
    };
    Some(match word.as_str() {
        "pass" | "passed" | "ok" | "success" => (1, 0, false),
        "fail" | "failed" | "failure" | "error" => (0, 1, false),
        "skip" | "skipped" | "pending" | "todo" | "ignored" | "disabled" | "xfailed" => (0, 0, true),
        "unresolved" | "unknown" => (0, 0, false),
        _ => return None,
    })
}
