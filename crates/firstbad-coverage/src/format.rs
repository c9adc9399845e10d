//! What tool a report comes from.

use firstbad::Error;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::wrong::{ARGUMENT, wrong};

/// How a report is written. As JSON, its name in `snake_case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CoverageFormat {
    /// A tracefile of lcov (`geninfo(1)`), as `c8`, `jest`, `coverage lcov` and many more write it.
    Lcov,
    /// `coverage json` of coverage.py.
    CoveragePy,
    /// Cobertura's XML, as `coverage xml` writes it, too.
    Cobertura,
    /// What Node writes into the folder that `NODE_V8_COVERAGE` names.
    V8,
    /// A JSON object: for each file the list of lines that ran, from 1.
    Lines,
}

impl CoverageFormat {
    /// All names.
    pub const NAMES: [&str; 5] = ["lcov", "coverage_py", "cobertura", "v8", "lines"];

    /// The format that a text seems to have.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a text that looks like none.
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

    /// The JSON that a text seems to be. One that cannot be read is read as lines, where the error names the place.
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

/// A tracefile may begin with comments; one of its records is in the first lines.
const FIRST_LINES: usize = 100;

impl std::str::FromStr for CoverageFormat {
    type Err = Error;

    /// # Errors
    /// [`Error::InvalidArgument`] that names `coverage.format`.
    fn from_str(name: &str) -> Result<CoverageFormat, Error> {
        serde_json::from_value(name.into()).map_err(|_| {
            let names = CoverageFormat::NAMES.join(", ");
            Error::invalid(format!("{ARGUMENT}.format"), name, format!("one of {names}"))
        })
    }
}
