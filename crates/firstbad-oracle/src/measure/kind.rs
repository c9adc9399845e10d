//! Kinds of numbers that a run can measure.

use std::fmt;

use firstbad::metric::Worse;
use firstbad::{Error, instead};

use super::json::JsonReader;
use super::size::SizeReader;
use super::text::Expression;

/// A kind of number, such as `seconds` or `regex:([0-9.]+) req/s`.
#[derive(Debug, Clone)]
pub struct MetricKind {
    text: String,
    pub(super) reader: Reader,
}

/// The source of a number.
#[derive(Debug, Clone)]
pub(super) enum Reader {
    Seconds,
    CpuSeconds,
    Memory,
    Regex(Expression),
    Json(JsonReader),
    FileSize(SizeReader),
    LastNumber,
}

impl MetricKind {
    /// The words of all kinds.
    pub const NAMES: [&'static str; 7] =
        ["seconds", "cpu-seconds", "memory", "regex:EXPR", "json:PATH", "file-size:GLOB", "last-number"];

    /// Reads a kind.
    ///
    /// ```
    /// use firstbad_oracle::MetricKind;
    /// assert_eq!(MetricKind::parse("memory")?.unit(), Some("B"));
    /// let error = MetricKind::parse("second").unwrap_err().to_string();
    /// assert!(error.ends_with("did you mean \"seconds\"?"), "{error}");
    /// # Ok::<(), firstbad::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `metric` if the text is not a kind.
    pub fn parse(text: &str) -> Result<MetricKind, Error> {
        let reader = match (text, text.split_once(':')) {
            ("seconds", _) => Reader::Seconds,
            ("cpu-seconds", _) => Reader::CpuSeconds,
            ("memory", _) => Reader::Memory,
            ("last-number", _) => Reader::LastNumber,
            (_, Some(("regex", expression))) => Reader::Regex(Expression::parse(text, expression)?),
            (_, Some(("json", path))) => Reader::Json(JsonReader::parse(text, path)?),
            (_, Some(("file-size", glob))) => Reader::FileSize(SizeReader::parse(text, glob)?),
            _ => return Err(unknown(text)),
        };
        Ok(MetricKind { text: text.to_owned(), reader })
    }

    /// Returns the direction that is worse, or `None` if the kind does not say it.
    #[must_use]
    pub fn worse(&self) -> Option<Worse> {
        self.unit().map(|_| Worse::Up)
    }

    /// Returns the unit of the number: `s`, `B`, or `None` if the kind does not say it.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        match self.reader {
            Reader::Seconds | Reader::CpuSeconds => Some("s"),
            Reader::Memory | Reader::FileSize(_) => Some("B"),
            Reader::Regex(_) | Reader::Json(_) | Reader::LastNumber => None,
        }
    }

    /// Returns whether the number is a time of the test command.
    #[must_use]
    pub fn is_time(&self) -> bool {
        matches!(self.reader, Reader::Seconds | Reader::CpuSeconds)
    }

    /// Returns whether the number is read from standard output alone.
    pub(super) fn reads_stdout(&self) -> bool {
        match &self.reader {
            Reader::Json(json) => json.file.is_none(),
            reader => matches!(reader, Reader::LastNumber),
        }
    }
}

impl fmt::Display for MetricKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns the error for a text that is not a kind.
fn unknown(text: &str) -> Error {
    // `regex` and `regexp:x` mean a kind with an argument.
    let name = text.split(':').next().unwrap_or_default();
    let names = MetricKind::NAMES.map(|name| name.split(':').next().unwrap_or_default());
    let expected = match names.iter().zip(MetricKind::NAMES).find(|(known, _)| **known == name) {
        Some((_, whole)) if whole.contains(':') => format!("{whole}, for example {}", example(name)),
        Some((_, whole)) => format!("{whole} without anything after it"),
        None => format!("one of {}\nhelp: {}", MetricKind::NAMES.join(", "), instead(name, &names)),
    };
    Error::invalid("metric", text, expected)
}

fn example(name: &str) -> &'static str {
    match name {
        "regex" => "regex:throughput: ([0-9.]+)",
        "json" => "json:$.results[0].mean",
        _ => "file-size:dist/*.js",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_memory_and_sizes_have_a_direction() {
        for (kind, unit, is_time) in [
            ("seconds", Some("s"), true),
            ("cpu-seconds", Some("s"), true),
            ("memory", Some("B"), false),
            ("file-size:dist/**/*.js", Some("B"), false),
            ("regex:([0-9]+)", None, false),
            ("json:$.a", None, false),
            ("json:a.json#$.a", None, false),
            ("last-number", None, false),
        ] {
            let found = MetricKind::parse(kind).unwrap();
            assert_eq!((found.unit(), found.is_time(), found.to_string()), (unit, is_time, kind.to_owned()));
            assert_eq!(found.worse(), unit.map(|_| Worse::Up));
        }
    }

    #[test]
    fn invalid_kinds_say_how_to_fix_them() {
        for (kind, words) in [
            ("", "expected one of seconds, cpu-seconds"),
            ("second", "help: did you mean \"seconds\"?"),
            ("regexp:x", "help: did you mean \"regex\"?"),
            ("Memory", "did you mean \"memory\"?"),
            ("regex", "expected regex:EXPR, for example regex:throughput: ([0-9.]+)"),
            ("seconds:5", "expected seconds without anything after it"),
            ("regex:(", "expected a regular expression (unclosed group)"),
            ("regex:", "expected regex:EXPR with an expression"),
            ("json:results", "expected a JSON path that starts with $"),
            ("json:$.a[", "expected a JSON path as in RFC 9535 (at position 3, parser error)"),
            ("json:#$.a", "expected a file"),
            ("json:/tmp/x#$.a", "expected a file"),
            ("json:../x#$.a", "expected a file"),
            ("json:x", "expected a JSON path that starts with $"),
            ("file-size:", "expected a relative glob"),
            ("file-size:/etc/*", "expected a relative glob"),
            ("file-size:a/../../b", "expected a relative glob"),
            ("file-size:a[", "expected a glob"),
        ] {
            let error = MetricKind::parse(kind).unwrap_err().to_string();
            assert!(error.starts_with("metric: ") && error.contains(words), "{kind}: {error}");
        }
    }
}
