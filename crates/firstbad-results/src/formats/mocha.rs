//! The JSON of Mocha (`--reporter json`).

use std::borrow::Cow;

use serde::Deserialize;

use super::json_error;
use crate::case::Case;
use crate::collector::Collector;
use crate::error::ResultsError;
use crate::format::Format;
use crate::report::Scope;
use crate::runner::Runner;
use crate::signature::Failure;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow, default)]
    passes: Vec<Test<'a>>,
    #[serde(borrow, default)]
    failures: Vec<Test<'a>>,
    #[serde(borrow, default)]
    pending: Vec<Test<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test<'a> {
    #[serde(borrow)]
    full_title: Cow<'a, str>,
    #[serde(borrow, default)]
    title: Cow<'a, str>,
    #[serde(borrow, default)]
    file: Option<Cow<'a, str>>,
    duration: Option<f64>,
    current_retry: Option<u32>,
    #[serde(borrow, default)]
    err: Option<Thrown<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Thrown<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    message: Option<Cow<'a, str>>,
    #[serde(borrow)]
    stack: Option<Cow<'a, str>>,
}

/// Reads the JSON.
///
/// # Errors
/// [`ResultsError::Syntax`] with the line, or an error about a limit.
pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), ResultsError> {
    collector.recognized(Runner::Mocha);
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Report<'_>>();
    let report = values.next().transpose().map_err(|error| json_error(Format::Mocha, 0, &error))?;
    let Some(report) = report else { return Err(ResultsError::Empty) };
    for test in report.passes {
        let fails = test.current_retry.unwrap_or_default();
        collector.push(Case { passes: 1, fails, ..case(test) })?;
    }
    for test in report.failures {
        let fails = test.current_retry.unwrap_or_default().saturating_add(1);
        // A hook is not a test, and the tests after it have no result.
        let is_hook = test.title.starts_with("\"before ") || test.title.starts_with("\"after ");
        let scope = if is_hook { Scope::Group } else { Scope::Test };
        collector.push(Case { fails, scope, ..case(test) })?;
    }
    for test in report.pending {
        collector.push(Case { skipped: true, ..case(test) })?;
    }
    Ok(())
}

fn case(test: Test<'_>) -> Case {
    let thrown = test.err.unwrap_or_default();
    Case {
        file: test.file.map(Cow::into_owned),
        name: test.full_title.into_owned(),
        seconds: test.duration.map(|milliseconds| milliseconds / 1000.0),
        failure: Failure {
            kind: thrown.name.map(Cow::into_owned),
            message: thrown.message.unwrap_or_default().into_owned(),
            text: thrown.stack.unwrap_or_default().into_owned(),
            frame: None,
        },
        ..Case::default()
    }
}
