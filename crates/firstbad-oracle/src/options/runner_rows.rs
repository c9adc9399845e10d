//! What the exit codes and the output of well-known test runners look like.
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
//! - ctest: 8 if a test failed or could not be run, or if there is none with `--no-tests=error`; 1 if nothing
//!   is set up; <https://cmake.org/cmake/help/latest/manual/ctest.1.html>.

/// What there is to know about a runner; expressions that are empty never match.
pub(crate) struct Row {
    /// Exit codes that say that nothing was tested.
    pub(crate) unresolved: &'static [i32],
    /// Whether the exit code is the number of failures, so that any code may be one.
    pub(crate) counts: bool,
    /// Something could not be built, loaded or understood ...
    pub(crate) broken: &'static str,
    /// ... unless a test failed all the same.
    pub(crate) failed: &'static str,
    /// Nothing was tested ...
    pub(crate) nothing: &'static str,
    /// ... unless something passed all the same.
    pub(crate) passed: &'static str,
}

/// npm, npx and their like, where the runner is not there or cannot be had. What they say after any test that failed
/// (`ELIFECYCLE`, a lifecycle script) is none of it.
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
    // A file is a test, too; it fails if it cannot be loaded.
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
