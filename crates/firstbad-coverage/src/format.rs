//! Report formats.

use firstbad::Error;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::wrong::{ARGUMENT, wrong};

/// The format of a report. In JSON, its name in `snake_case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CoverageFormat {
    /// A tracefile of lcov (`geninfo(1)`), as written by `c8`, `jest`, `coverage lcov`, and many other tools.
    Lcov,
    /// The output of `coverage json` (coverage.py).
    CoveragePy,
    /// Cobertura XML, as written by `coverage xml` and other tools.
    Cobertura,
    /// The files that Node writes into the `NODE_V8_COVERAGE` folder.
    V8,
    /// A JSON object that maps each file to the list of its covered lines, counted from 1.
    Lines,
}

impl CoverageFormat {
    /// The names of all formats.
    pub const NAMES: [&str; 5] = ["lcov", "coverage_py", "cobertura", "v8", "lines"];

    /// Detects the format of a report.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the text does not look like any format.
    pub(crate) fn of(name: &str, text: &str) -> Result<CoverageFormat, Error> {
        let start = text.trim_start();
        let is_lcov = |line: &str| line.starts_with("SF:") || line.starts_with("TN:");
        if start.starts_with('<') {
            Ok(CoverageFormat::Cobertura)
        } else if start.starts_with('{') {
            Ok(CoverageFormat::of_json(text))
        } else if start.lines().take(FIRST_LINES).any(is_lcov) {
            Ok(CoverageFormat::Lcov)
        } else {
            let expected = "a report of lcov, coverage.py (`coverage json`), Cobertura or V8, or a JSON object of files \
                            with their lines";
            Err(wrong(name, start.lines().next().unwrap_or_default(), expected))
        }
    }

    /// Detects the format of a JSON report. Invalid JSON counts as `Lines`, whose reader reports the location of the error.
    fn of_json(text: &str) -> CoverageFormat {
        #[derive(Deserialize)]
        struct Members {
            result: Option<IgnoredAny>,
            meta: Option<IgnoredAny>,
            files: Option<IgnoredAny>,
        }
        match serde_json::from_str(text) {
            Ok(Members { result: Some(_), files: None, .. }) => CoverageFormat::V8,
            Ok(Members { meta: Some(_), files: Some(_), .. }) => CoverageFormat::CoveragePy,
            _ => CoverageFormat::Lines,
        }
    }
}

/// How many lines to search for a record, because a tracefile may start with comments.
const FIRST_LINES: usize = 100;

impl std::str::FromStr for CoverageFormat {
    type Err = Error;

    /// Parses the name of a format.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `coverage.format`, if there is no such format.
    fn from_str(name: &str) -> Result<CoverageFormat, Error> {
        serde_json::from_value(name.into()).map_err(|_| {
            let names = CoverageFormat::NAMES.join(", ");
            Error::invalid(format!("{ARGUMENT}.format"), name, format!("one of {names}"))
        })
    }
}
