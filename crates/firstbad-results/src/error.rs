//! Errors about reports and commands.

use std::fmt;

use firstbad::{Error, Spelling, option, printable};

use crate::format::Format;
use crate::limits::{DEEPEST, LARGEST_REPORT, LONGEST_ID, MOST_CASES, MOST_IDS, cut};
use crate::runner::Runner;

/// An error about a report or a test command. Its [`Display`](fmt::Display) has two lines: the problem with the value, and the fix.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResultsError {
    /// The report has no content.
    Empty,
    /// The report is larger than [`LARGEST_REPORT`].
    TooLarge {
        /// The size of the report in bytes.
        bytes: usize,
    },
    /// The report has more test cases than [`MOST_CASES`].
    TooManyTests,
    /// The report is nested more deeply than [`DEEPEST`].
    TooDeep {
        /// The line of the report, counted from 1.
        line: usize,
    },
    /// The id of a test is longer than [`LONGEST_ID`].
    LongId {
        /// The length of the id in bytes.
        bytes: usize,
        /// The first characters of the id.
        start: String,
    },
    /// The ids of all tests are longer than [`MOST_IDS`].
    LongIds,
    /// The content is not a report of a known format.
    UnknownFormat {
        /// The first characters of the report.
        start: String,
    },
    /// The report is not valid in its format.
    Syntax {
        /// The format of the report.
        format: Format,
        /// The line of the report, counted from 1.
        line: usize,
        /// The problem.
        found: String,
    },
    /// A JSON line has an unknown outcome.
    UnknownOutcome {
        /// The line of the report, counted from 1.
        line: usize,
        /// The outcome as given.
        outcome: String,
    },
    /// A report in a file cannot be used.
    InFile {
        /// The path of the file.
        path: String,
        /// The error without the path.
        error: Box<ResultsError>,
    },
    /// A file cannot be read.
    Unreadable {
        /// The error message of the operating system.
        message: String,
    },
    /// There is no runner of this name.
    UnknownRunner {
        /// The name as given.
        name: String,
    },
    /// The value does not say where a runner writes its results.
    UnknownResults {
        /// The value as given.
        given: String,
    },
    /// The command does not start a known runner.
    UnknownCommand {
        /// The command as given.
        command: String,
    },
    /// The command has no place for the arguments of the runner.
    NoPlace {
        /// The command as given.
        command: String,
    },
    /// The id of a test cannot be written as one line or as an argument.
    UnwritableId {
        /// The id as given.
        id: String,
    },
}

impl ResultsError {
    /// Returns the stable code of this kind of error in `snake_case`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ResultsError::Empty => "empty_report",
            ResultsError::TooLarge { .. } => "report_too_large",
            ResultsError::TooManyTests => "too_many_tests",
            ResultsError::TooDeep { .. } => "report_too_deep",
            ResultsError::LongId { .. } => "long_id",
            ResultsError::LongIds => "long_ids",
            ResultsError::UnknownFormat { .. } => "unknown_format",
            ResultsError::Syntax { .. } => "report_syntax",
            ResultsError::UnknownOutcome { .. } => "unknown_outcome",
            ResultsError::InFile { error, .. } => error.code(),
            ResultsError::Unreadable { .. } => "io",
            ResultsError::UnknownRunner { .. } => "unknown_runner",
            ResultsError::UnknownResults { .. } => "unknown_results",
            ResultsError::UnknownCommand { .. } => "unknown_command",
            ResultsError::NoPlace { .. } => "no_place",
            ResultsError::UnwritableId { .. } => "unwritable_id",
        }
    }

    /// Returns what failed, with the value.
    fn problem(&self) -> String {
        match self {
            ResultsError::Empty => "the test report is empty".to_owned(),
            ResultsError::TooLarge { bytes } => {
                format!("the test report has {bytes} bytes, and at most {LARGEST_REPORT} are read")
            }
            ResultsError::TooManyTests => format!("the test report has more than {MOST_CASES} test cases"),
            ResultsError::TooDeep { line } => format!("line {line}: nested more than {DEEPEST} levels deep"),
            ResultsError::LongId { bytes, start } => {
                format!("a test id has {bytes} bytes, and at most {LONGEST_ID} are read: {}...", shown(start))
            }
            ResultsError::LongIds => format!("the test ids of the report have more than {MOST_IDS} bytes"),
            ResultsError::UnknownFormat { start } => format!("unknown format of a test report: {}", shown(start)),
            ResultsError::Syntax { format, line, found } => {
                format!("line {line}: not valid {format}: {}", shown(found))
            }
            ResultsError::UnknownOutcome { line, outcome } => {
                format!("line {line}: unknown outcome {}", shown(outcome))
            }
            ResultsError::InFile { path, error } => format!("{}: {}", printable(path), error.problem()),
            ResultsError::Unreadable { message } => format!("the test report cannot be read: {message}"),
            ResultsError::UnknownRunner { name } => format!("unknown runner {}", shown(name)),
            ResultsError::UnknownResults { given } => format!("unknown place of results {}", shown(given)),
            ResultsError::UnknownCommand { command } => {
                format!("no known test runner in the command {}", shown(command))
            }
            ResultsError::NoPlace { command } => format!("no place for the tests in the command {}", shown(command)),
            ResultsError::UnwritableId { id } => {
                format!("a test id is not a line or would be an option: {}", shown(id))
            }
        }
    }

    fn help(&self) -> String {
        match self {
            ResultsError::Empty => "check that the test run wrote this file. A run that crashed early has no results".to_owned(),
            ResultsError::TooLarge { .. } => "leave out the output of passing tests, or pass several smaller reports".to_owned(),
            ResultsError::TooManyTests | ResultsError::LongIds | ResultsError::TooDeep { .. } => "pass several smaller reports".to_owned(),
            ResultsError::LongId { .. } => "give the parameters of this test short ids".to_owned(),
            ResultsError::UnknownFormat { .. } => {
                "pass JUnit XML, TAP, JSON of Jest, Vitest, or Mocha, lines of Go or cargo, or JSON lines with id and outcome"
                    .to_owned()
            }
            ResultsError::Syntax { .. } => "write the report again. A crash of the runner can damage it".to_owned(),
            ResultsError::UnknownOutcome { .. } => "write pass, fail, skipped, or unresolved".to_owned(),
            ResultsError::InFile { error, .. } => error.help(),
            ResultsError::Unreadable { .. } => "check the path of the report".to_owned(),
            ResultsError::UnknownRunner { .. } => format!("use one of {}", Runner::NAMES.join(", ")),
            ResultsError::UnknownResults { .. } => {
                "use FORMAT:PATH such as junit:out.xml, tap:- for standard output, or exit".to_owned()
            }
            ResultsError::UnknownCommand { .. } => {
                concat!("name the runner with ", option!(runner), ". For a custom runner, put {tests} into the command").to_owned()
            }
            ResultsError::NoPlace { .. } => "put {tests} or {tests_file} into the command".to_owned(),
            ResultsError::UnwritableId { .. } => "rename the test, or leave it out".to_owned(),
        }
    }
}

impl ResultsError {
    /// Returns the problem and the fix, with options as tokens.
    fn message(&self) -> String {
        format!("{}\nhelp: {}", self.problem(), self.help())
    }
}

/// Returns a value in quotes, cut to 80 characters and safe for terminals.
fn shown(value: &str) -> String {
    const SHOWN: usize = 80;
    let start: String = value.chars().take(SHOWN).collect();
    let more = if start.len() < value.len() { "..." } else { "" };
    format!("\"{}{more}\"", printable(&start))
}

/// Returns the first characters of a report for an error.
pub(crate) fn start(text: &str) -> String {
    cut(text.trim_start().lines().next().unwrap_or_default(), 200).to_owned()
}

impl fmt::Display for ResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Spelling::Python.render(&self.message()))
    }
}

impl std::error::Error for ResultsError {}

impl From<ResultsError> for Error {
    /// Converts to an [`Error::InvalidArgument`] if the error concerns the option `runner` or `results`, and to an
    /// [`Error::Results`] otherwise.
    fn from(error: ResultsError) -> Error {
        let argument = match error {
            ResultsError::UnknownRunner { .. } | ResultsError::UnknownCommand { .. } | ResultsError::NoPlace { .. } => {
                "runner"
            }
            ResultsError::UnknownResults { .. } => "results",
            _ => return Error::Results { code: error.code(), message: error.message() },
        };
        Error::InvalidArgument { argument: argument.to_owned(), value: String::new(), expected: error.message() }
    }
}
