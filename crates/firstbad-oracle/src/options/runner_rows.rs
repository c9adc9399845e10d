//! Exit codes and output of well-known test runners.
//!
//! A runner that reports a failure may not have run any test. The code may not compile, a file may not load, or the test may not
//! exist yet. Such a run says nothing about the revision.
//!
//! The rows come from the documentation below and from real output of pytest 9.2, jest 30.5, vitest 4.1, mocha 12.0, node 20.20,
//! cargo 1.95, go 1.27, and ctest 4.4. Each runner ran a passing test, a failing test, a syntax error, a missing import, no test,
//! and an invalid option.
//!
//! - pytest: 2 interrupted or error while collecting, 3 internal error, 4 usage error, 5 no tests collected.
//!   <https://docs.pytest.org/en/stable/reference/exit-codes.html>
//! - jest: 1 for everything. <https://jestjs.io/docs/cli>, `--passWithNoTests`
//! - vitest: 1 for everything. <https://vitest.dev/guide/cli>, `--passWithNoTests`
//! - mocha: the number of failures, at most 255, so also 127 and 130. <https://mochajs.org>, `--posix-exit-codes`, `--fail-zero`
//! - node: 1 for failures, 9 and 12 for invalid options, 3 to 5 and 10 for internal errors. A file that cannot be loaded counts
//!   as a failed test. <https://nodejs.org/api/process.html#exit-codes>
//! - cargo: 101 for failed tests and all other errors. `cargo nextest` uses 100 and 101, and 4 for no tests.
//!   <https://doc.rust-lang.org/cargo/commands/cargo-test.html>
//! - go: 1 for failed tests and failed builds, 2 for invalid options. `go help test`
//! - ctest: 8 if a test failed or could not run, or if there is none with `--no-tests=error`. 1 without a configured project.
//!   <https://cmake.org/cmake/help/latest/manual/ctest.1.html>

/// The exit codes and expressions of one runner. An empty expression never matches.
pub(crate) struct Row {
    /// The exit codes of runs without tests.
    pub(crate) unresolved: &'static [i32],
    /// Whether the exit code is the number of failures, so any code can be a failure.
    pub(crate) counts: bool,
    /// Matches output of a run that could not build or load something, unless `failed` also matches.
    pub(crate) broken: &'static str,
    /// Matches output with a failed test.
    pub(crate) failed: &'static str,
    /// Matches output of a run without tests, unless `passed` also matches.
    pub(crate) nothing: &'static str,
    /// Matches output with a passed test.
    pub(crate) passed: &'static str,
}

/// Matches errors of npm and npx if the runner is missing. Lines that npm prints after a failed test (`ELIFECYCLE`) do not match.
macro_rules! npm {
    () => {
        r"|^npm (error|ERR!) (npx canceled|Missing script|missing script|could not determine executable|code (E40\d|ENOENT|ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ETARGET))"
    };
}

impl Row {
    const EMPTY: Row = Row { unresolved: &[], counts: false, broken: "", failed: "", nothing: "", passed: "" };
}

pub(crate) const PYTEST: Row = Row {
    unresolved: &[2, 3, 4, 5],
    broken: r"ERROR collecting |No module named '?pytest'?$",
    failed: r"\b\d+ failed\b|ERROR at (setup|teardown) of ",
    nothing: r"^(=+ )?(\d+ (skipped|deselected|warnings?), )*\d+ (skipped|deselected|warnings?) in \d",
    passed: r"\b\d+ (passed|xfailed|xpassed)\b",
    ..Row::EMPTY
};

pub(crate) const JEST: Row = Row {
    broken: concat!(
        r"Test suite failed to run|No tests found|Unrecognized CLI Parameter|Validation Error:|^Error: ",
        npm!()
    ),
    failed: r#"^Tests: .*\b\d+ failed\b|"numFailedTests":[1-9]"#,
    nothing: r"^Tests: +(\d+ (skipped|todo), )*\d+ total$|^No tests found",
    passed: r"^Tests: .*\b\d+ passed\b",
    ..Row::EMPTY
};

pub(crate) const VITEST: Row = Row {
    broken: concat!(r"Failed Suites \d|No test files found|CACError: |Startup Error|failed to load config", npm!()),
    failed: r"^ *Tests  .*\b\d+ failed\b",
    nothing: r"^ *Tests  (no tests|(\d+ (skipped|todo)( \| )?)+ \(\d+\))|^No test files found",
    passed: r"^ *Tests  .*\b\d+ passed\b",
    ..Row::EMPTY
};

pub(crate) const MOCHA: Row = Row {
    counts: true,
    broken: concat!(
        r"Exception during run|No test files found|^✖ ERROR|^(Error|SyntaxError|TypeError|ReferenceError)\b|Cannot find module|^ *0 passing",
        npm!()
    ),
    failed: r"^ *[1-9]\d* failing\b",
    nothing: r"^ *0 passing\b",
    passed: r"^ *[1-9]\d* passing\b",
    ..Row::EMPTY
};

pub(crate) const NODE: Row = Row {
    unresolved: &[3, 4, 5, 9, 10, 12],
    broken: concat!(
        r"^(# )?(SyntaxError\b|Error(:| \[ERR_MODULE_NOT_FOUND\]:) Cannot find (module|package)|Could not find ')",
        npm!()
    ),
    // Node reports a file as a test, which fails if the file cannot be loaded.
    failed: r"^ *not ok \d+ - (.*[^s\s]|.*[^jt\s]s)( #.*)?$|^ *✖ (.*[^s\s]|.*[^jt\s]s) \([\d.]+ms\)",
    nothing: r"^(#|ℹ) pass 0$",
    passed: r"^(#|ℹ) pass [1-9]",
    ..Row::EMPTY
};

pub(crate) const CARGO: Row = Row {
    unresolved: &[4],
    broken: r"^error(\[E\d+\])?: ",
    failed: r"^test result: FAILED|^error: (test|doctest|bench|test run|\d+ targets?) failed",
    nothing: r"^test result: ok\. 0 passed",
    passed: r"^test result: ok\. [1-9]",
    ..Row::EMPTY
};

pub(crate) const GO: Row = Row {
    unresolved: &[2],
    broken: r#"\[(build|setup) failed\]|"Action":"build-fail"|^go: "#,
    failed: r#"^ *--- FAIL|^panic: |^FAIL\s+\S+\s+\d|"Action":"fail","Package":"[^"]*","Test":"#,
    nothing: r"^(ok|\?)[ \t].*\[no tests? (to run|files)\]",
    passed: r"^ok\s[^\[\n]*$",
    ..Row::EMPTY
};

pub(crate) const CTEST: Row = Row {
    unresolved: &[1, 2, 3, 4, 5, 6, 7],
    broken: r"\*\*\*Not Run|No tests were found",
    failed: r"\*\*\*(Failed|Timeout|Exception)",
    nothing: r"No tests were found",
    ..Row::EMPTY
};
