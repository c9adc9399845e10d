//! The JSON of Jest (`--json`) and Vitest (`--reporter=json`).

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
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    #[serde(borrow)]
    test_results: Vec<File<'a>>,
    /// Only Jest writes this number.
    num_runtime_error_test_suites: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    status: Cow<'a, str>,
    #[serde(borrow, default)]
    message: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    assertion_results: Vec<Test<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test<'a> {
    #[serde(borrow)]
    full_name: Cow<'a, str>,
    #[serde(borrow)]
    status: Cow<'a, str>,
    duration: Option<f64>,
    #[serde(borrow, default)]
    failure_messages: Option<Vec<Cow<'a, str>>>,
    /// The number of runs with retries.
    invocations: Option<u32>,
    #[serde(borrow, default)]
    retry_reasons: Option<Vec<Cow<'a, str>>>,
}

/// Reads the JSON.
///
/// # Errors
/// [`ResultsError::Syntax`] with the line, or an error about a limit.
pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), ResultsError> {
    // Lines of the runner can follow.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Report<'_>>();
    let report = values.next().transpose().map_err(|error| json_error(Format::Jest, 0, &error))?;
    let Some(report) = report else { return Err(ResultsError::Empty) };
    let is_jest = report.num_runtime_error_test_suites.is_some();
    collector.recognized(if is_jest { Runner::Jest } else { Runner::Vitest });
    for file in report.test_results {
        if file.assertion_results.is_empty() && file.status == "failed" {
            // Jest starts the message with a heading.
            let message = file.message.unwrap_or_default();
            let message = message.trim_start().trim_start_matches("● Test suite failed to run").trim_start();
            let failure = Failure { text: message.to_owned(), ..Failure::default() };
            let name = file.name.into_owned();
            collector.push(Case { file: Some(name), scope: Scope::File, failure, ..Case::default() })?;
            continue;
        }
        for test in file.assertion_results {
            collector.push(case(&file.name, test))?;
        }
    }
    Ok(())
}

fn case(file: &str, test: Test<'_>) -> Case {
    let retries = test.retry_reasons.as_ref().map_or(0, Vec::len);
    let retries = u32::try_from(retries).unwrap_or(u32::MAX).max(test.invocations.unwrap_or(1).saturating_sub(1));
    let (passes, fails) = match &*test.status {
        "passed" => (1, retries),
        "failed" => (0, retries.saturating_add(1)),
        _ => (0, 0),
    };
    let text = test.failure_messages.into_iter().flatten().chain(test.retry_reasons.into_iter().flatten()).next();
    Case {
        file: Some(file.to_owned()),
        name: test.full_name.into_owned(),
        passes,
        fails,
        skipped: matches!(&*test.status, "pending" | "skipped" | "todo" | "disabled"),
        seconds: test.duration.map(|milliseconds| milliseconds / 1000.0),
        failure: Failure { text: text.unwrap_or_default().into_owned(), ..Failure::default() },
        ..Case::default()
    }
}
