//! Recognition of a report's format.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::error::{ResultsError, start};
use crate::format::Format;
use crate::limits::cut;

/// How many lines to search for the start of a report, because runners print other lines first.
const FIRST_LINES: usize = 1000;

/// How many invalid JSON values to skip. Each of them can be as long as the report.
const MOST_INVALID: usize = 3;

/// How much of an invalid JSON value to search for the keys of a report, in bytes.
const SEARCHED: usize = 64 << 10;

impl Format {
    /// Recognizes the format of a report and returns the report without the lines before its start.
    ///
    /// # Errors
    /// [`ResultsError::Empty`] or [`ResultsError::UnknownFormat`].
    pub(crate) fn of(text: &str) -> Result<(Format, &str), ResultsError> {
        if text.trim().is_empty() {
            return Err(ResultsError::Empty);
        }
        let (mut place, mut invalid) = (0, 0);
        for line in text.split_inclusive('\n').take(FIRST_LINES) {
            let rest = &text[place..];
            place += line.len();
            let line = line.trim();
            let found = match line.as_bytes().first() {
                Some(b'<') => is_xml(line).then_some(Format::Junit),
                Some(b'{') if invalid < MOST_INVALID => {
                    let found = Format::of_json(rest);
                    invalid += usize::from(found.is_err());
                    found.unwrap_or_default()
                }
                _ => Format::of_line(line),
            };
            if let Some(format) = found {
                // Words before a line of TAP or libtest can be part of the report.
                return Ok((format, if matches!(format, Format::Tap | Format::Libtest) { text } else { rest }));
            }
        }
        Err(ResultsError::UnknownFormat { start: start(text) })
    }

    /// Recognizes the first JSON value of a text.
    ///
    /// # Errors
    /// If the text does not start with a JSON value.
    fn of_json(text: &str) -> Result<Option<Format>, serde_json::Error> {
        #[derive(Deserialize)]
        struct Members {
            #[serde(rename = "testResults")]
            test_results: Option<IgnoredAny>,
            stats: Option<IgnoredAny>,
            passes: Option<IgnoredAny>,
            #[serde(rename = "Action")]
            action: Option<IgnoredAny>,
            #[serde(rename = "type")]
            kind: Option<IgnoredAny>,
            event: Option<IgnoredAny>,
            id: Option<IgnoredAny>,
            name: Option<IgnoredAny>,
            outcome: Option<IgnoredAny>,
            started: Option<IgnoredAny>,
            runner: Option<IgnoredAny>,
        }
        let start = cut(text, SEARCHED);
        let Some(members) = serde_json::Deserializer::from_str(text).into_iter::<Members>().next() else {
            return Ok(None);
        };
        let members = match members {
            Ok(members) => members,
            // The reader reports the place of the error.
            Err(_) if start.contains("\"testResults\"") => return Ok(Some(Format::Jest)),
            Err(_) if start.contains("\"fullTitle\"") => return Ok(Some(Format::Mocha)),
            Err(error) => return Err(error),
        };
        Ok(match members {
            Members { test_results: Some(_), .. } => Some(Format::Jest),
            Members { stats: Some(_), passes: Some(_), .. } => Some(Format::Mocha),
            Members { action: Some(_), .. } => Some(Format::Go),
            Members { kind: Some(_), event: Some(_), .. } => Some(Format::Libtest),
            Members { started: Some(_), .. } | Members { runner: Some(_), .. } => Some(Format::Jsonl),
            Members { outcome: Some(_), id, name, .. } if id.is_some() || name.is_some() => Some(Format::Jsonl),
            _ => None,
        })
    }

    fn of_line(line: &str) -> Option<Format> {
        let is_count = |words: &str| words.split(' ').next().is_some_and(|count| count.parse::<u32>().is_ok());
        if line.starts_with("TAP version ") || is_tap(line) {
            Some(Format::Tap)
        } else if line.starts_with("test ") && line.contains(" ... ")
            || line.strip_prefix("running ").is_some_and(|rest| is_count(rest) && rest.contains(" test"))
        {
            Some(Format::Libtest)
        } else {
            None
        }
    }
}

/// Returns whether a line is a plan or a test of TAP.
fn is_tap(line: &str) -> bool {
    let is_plan = line.strip_prefix("1..").is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()));
    let test = line.strip_prefix("not ok").or_else(|| line.strip_prefix("ok"));
    is_plan
        || test.is_some_and(|rest| {
            rest.strip_prefix(' ')
                .is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-'))
        })
}

fn is_xml(line: &str) -> bool {
    ["<?xml", "<testsuite", "<testcase", "<!--", "<!DOCTYPE"].iter().any(|start| line.starts_with(start))
}
