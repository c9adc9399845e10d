//! What the exit codes and the output of well-known test runners mean.
//!
//! A runner that ends with "failed" may not have tested anything: the code did not compile, a file could not be loaded,
//! the test is not there yet. None of that blames a revision. Each row below says how that looks, as it was seen when
//! the runners were run (pytest 9.2, jest 30.5, vitest 4.1, mocha 12.0, node 20.20, cargo 1.95, go 1.27, ctest 4.4) on a
//! test that passes, one that fails, a file with a syntax error, one that imports what is not there, no test at all and a
//! wrong option, and as their documents have it:
//!
//! - pytest: <https://docs.pytest.org/en/stable/reference/exit-codes.html>: 2 interrupted (so do errors while
//!   collecting), 3 internal error, 4 usage, 5 no tests collected.
//! - jest: 1 for everything; <https://jestjs.io/docs/cli>, `--passWithNoTests`.
//! - vitest: 1 for everything; <https://vitest.dev/guide/cli>, `--passWithNoTests`.
//! - mocha: the number of failures, at most 255, 127 and 130 among them; <https://mochajs.org>, `--posix-exit-codes`,
//!   `--fail-zero`.
//! - node: 1; 9 and 12 for wrong options, 3 to 5 and 10 for node's own troubles;
//!   <https://nodejs.org/api/process.html#exit-codes>. A file that cannot be loaded counts as a test that failed.
//! - cargo: 101 for a failed test and for whatever cargo cannot do; <https://doc.rust-lang.org/cargo/commands/cargo-test.html>.
//!   For `cargo nextest` 100 and 101, and 4 for no tests.
//! - go: 1 for failures and for builds that break, 2 for wrong options; `go help test`.
//! - ctest: 8 where a test failed, or could not be run, or where there is none with `--no-tests=error`; 1 where nothing
//!   is set up; <https://cmake.org/cmake/help/latest/manual/ctest.1.html>.

use firstbad::Error;
use regex::bytes::{Regex, RegexBuilder};

use super::verdict::Verdict;

/// A test runner whose exit codes and output [`CommandOracle`](crate::CommandOracle) understands: where nothing could
/// be built or nothing was tested, the revision is unresolved, whatever the exit code says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preset {
    /// `pytest`.
    Pytest,
    /// `jest`.
    Jest,
    /// `vitest run`.
    Vitest,
    /// `mocha`.
    Mocha,
    /// `node --test`.
    Node,
    /// `cargo test`, `cargo nextest run`.
    Cargo,
    /// `go test`.
    Go,
    /// `ctest`.
    Ctest,
}

impl Preset {
    /// The names of all presets.
    pub const NAMES: [&'static str; 8] = ["pytest", "jest", "vitest", "mocha", "node", "cargo", "go", "ctest"];

    const ALL: [Preset; 8] = [
        Preset::Pytest,
        Preset::Jest,
        Preset::Vitest,
        Preset::Mocha,
        Preset::Node,
        Preset::Cargo,
        Preset::Go,
        Preset::Ctest,
    ];

    /// The name, one of [`Preset::NAMES`].
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Preset::NAMES[self as usize]
    }

    fn row(self) -> Row {
        match self {
            Preset::Pytest => Row {
                unresolved: &[2, 3, 4, 5],
                broken: r"ERROR collecting ",
                failed: r"\b\d+ failed\b|ERROR at (setup|teardown) of ",
                nothing: r"^(=+ )?(\d+ (skipped|deselected|warnings?), )*\d+ (skipped|deselected|warnings?) in \d",
                passed: r"\b\d+ (passed|xfailed|xpassed)\b",
                ..Row::EMPTY
            },
            Preset::Jest => Row {
                broken: r"Test suite failed to run|No tests found|Unrecognized CLI Parameter|Validation Error:|^Error: ",
                failed: r#"^Tests: .*\b\d+ failed\b|"numFailedTests":[1-9]"#,
                nothing: r"^Tests: +(\d+ (skipped|todo), )*\d+ total$|^No tests found",
                passed: r"^Tests: .*\b\d+ passed\b",
                ..Row::EMPTY
            },
            Preset::Vitest => Row {
                broken: r"Failed Suites \d|No test files found|CACError: |Startup Error|failed to load config",
                failed: r"^ *Tests  .*\b\d+ failed\b",
                nothing: r"^ *Tests  (no tests|(\d+ (skipped|todo)( \| )?)+ \(\d+\))|^No test files found",
                passed: r"^ *Tests  .*\b\d+ passed\b",
                ..Row::EMPTY
            },
            Preset::Mocha => Row {
                counts: true,
                broken: r"Exception during run|No test files found|^✖ ERROR|^(Error|SyntaxError|TypeError|ReferenceError)\b|Cannot find module|^ *0 passing",
                failed: r"^ *[1-9]\d* failing\b",
                nothing: r"^ *0 passing\b",
                passed: r"^ *[1-9]\d* passing\b",
                ..Row::EMPTY
            },
            Preset::Node => Row {
                unresolved: &[3, 4, 5, 9, 10, 12],
                broken: r"^(# )?(SyntaxError\b|Error(:| \[ERR_MODULE_NOT_FOUND\]:) Cannot find (module|package)|Could not find ')",
                // A file is a test, too; it fails where it cannot be loaded.
                failed: r"^ *not ok \d+ - (.*[^s\s]|.*[^jt\s]s)( #.*)?$|^ *✖ (.*[^s\s]|.*[^jt\s]s) \([\d.]+ms\)",
                nothing: r"^(#|ℹ) pass 0$",
                passed: r"^(#|ℹ) pass [1-9]",
                ..Row::EMPTY
            },
            Preset::Cargo => Row {
                unresolved: &[4],
                broken: r"^error(\[E\d+\])?: ",
                failed: r"^test result: FAILED|^error: (test|doctest|bench|test run|\d+ targets?) failed",
                nothing: r"^test result: ok\. 0 passed",
                passed: r"^test result: ok\. [1-9]",
                ..Row::EMPTY
            },
            Preset::Go => Row {
                unresolved: &[2],
                broken: r#"\[(build|setup) failed\]|"Action":"build-fail"|^go: "#,
                failed: r#"^ *--- FAIL|^panic: |^FAIL\s+\S+\s+\d|"Action":"fail","Package":"[^"]*","Test":"#,
                nothing: r"^(ok|\?)[ \t].*\[no tests? (to run|files)\]",
                passed: r"^ok\s[^\[\n]*$",
                ..Row::EMPTY
            },
            Preset::Ctest => Row {
                unresolved: &[1, 2, 3, 4, 5, 6, 7],
                broken: r"\*\*\*Not Run|No tests were found",
                failed: r"\*\*\*(Failed|Timeout|Exception)",
                nothing: r"No tests were found",
                ..Row::EMPTY
            },
        }
    }
}

impl std::str::FromStr for Preset {
    type Err = Error;

    /// # Errors
    /// [`Error::InvalidArgument`] that names `preset`.
    fn from_str(name: &str) -> Result<Preset, Error> {
        let place = Preset::NAMES.iter().position(|known| *known == name);
        place.map(|place| Preset::ALL[place]).ok_or_else(|| {
            let names = Preset::NAMES.map(|name| format!("{name:?}"));
            Error::invalid("preset", name, format!("one of {}", names.join(", ")))
        })
    }
}

/// What there is to know about a runner; expressions that are empty never match.
struct Row {
    /// Exit codes that say that nothing was tested.
    unresolved: &'static [i32],
    /// Whether the exit code is the number of failures, so that any code may be one.
    counts: bool,
    /// Something could not be built, loaded or understood ...
    broken: &'static str,
    /// ... unless a test failed all the same.
    failed: &'static str,
    /// Nothing was tested ...
    nothing: &'static str,
    /// ... unless something passed all the same.
    passed: &'static str,
}

impl Row {
    const EMPTY: Row = Row { unresolved: &[], counts: false, broken: "", failed: "", nothing: "", passed: "" };
}

/// What an ending means to a runner.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// What it means to any program.
    Usual,
    Known(Verdict),
    /// Nothing that blames or clears a revision, with the words for it.
    Untested(String),
}

/// A preset with its expressions, ready to be used.
#[derive(Debug)]
pub(super) struct Runner {
    preset: Preset,
    unresolved: &'static [i32],
    counts: bool,
    colours: Regex,
    broken: Option<Regex>,
    failed: Option<Regex>,
    nothing: Option<Regex>,
    passed: Option<Regex>,
}

impl Runner {
    pub(super) fn of(preset: Preset) -> Result<Runner, Error> {
        let Row { unresolved, counts, broken, failed, nothing, passed } = preset.row();
        let compiled = |pattern: &str| {
            let made = RegexBuilder::new(pattern).multi_line(true).crlf(true).build();
            made.map_err(|error| Error::invalid("preset", preset.as_str(), error.to_string()))
        };
        let some = |pattern: &str| (!pattern.is_empty()).then(|| compiled(pattern)).transpose();
        Ok(Runner {
            preset,
            unresolved,
            counts,
            colours: compiled("\x1b\\[[0-9;]*m")?,
            broken: some(broken)?,
            failed: some(failed)?,
            nothing: some(nothing)?,
            passed: some(passed)?,
        })
    }

    pub(super) fn meaning(&self, code: i32, output: &[u8]) -> Meaning {
        let name = self.preset.as_str();
        if self.unresolved.contains(&code) {
            return Meaning::Untested(format!("to {name} that is no failing test"));
        }
        let text = self.colours.replace_all(output, &b""[..]);
        let has = |regex: &Option<Regex>| regex.as_ref().is_some_and(|regex| regex.is_match(&text));
        let without = |regex: &Option<Regex>, but: &Option<Regex>| {
            let found = regex.as_ref()?.find(&text).filter(|_| !has(but))?;
            // The whole line says more than the words that were looked for.
            let start = text[..found.start()].iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
            let line = text[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
            Some(String::from_utf8_lossy(line).trim().chars().take(120).collect::<String>())
        };
        if code == 0 {
            return match without(&self.nothing, &self.passed) {
                Some(line) => Meaning::Untested(format!("{name} tested nothing: {line:?}")),
                None => Meaning::Usual,
            };
        }
        if self.counts && has(&self.failed) {
            return Meaning::Known(Verdict::Fail);
        }
        match without(&self.broken, &self.failed) {
            // Programs that do not exist are for others to tell.
            Some(line) if code < 125 => Meaning::Untested(format!("{name} could not test: {line:?}")),
            _ => Meaning::Usual,
        }
    }
}

#[cfg(test)]
mod tests;
