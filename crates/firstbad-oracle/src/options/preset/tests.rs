use crate::options::preset::*;

/// Returns the verdict that a runner derives from `code` and `output`, `usual`, or `untested`.
fn word(preset: Preset, code: i32, output: &str) -> &'static str {
    match Runner::of(preset).unwrap().meaning(code, output.as_bytes()) {
        Meaning::Usual => "usual",
        Meaning::Known(Verdict::Fail) => "fail",
        Meaning::Known(_) => "another",
        Meaning::Untested(_) => "untested",
    }
}

fn check(preset: Preset, rows: &[(i32, &str, &str)]) {
    for (code, output, expected) in rows {
        assert_eq!(word(preset, *code, output), *expected, "{} {code} {output:?}", preset.as_str());
        let coloured = format!("\x1b[31m{}\x1b[0m", output.replace('\n', "\x1b[0m\r\n\x1b[1;32m"));
        assert_eq!(word(preset, *code, &coloured), *expected, "{} {code} {coloured:?}", preset.as_str());
    }
}

#[test]
fn names_and_presets_belong_together() {
    for (name, preset) in Preset::NAMES.into_iter().zip(Preset::ALL) {
        assert_eq!((preset.as_str(), name.parse::<Preset>()), (name, Ok(preset)));
    }
    let error = "pytset".parse::<Preset>().unwrap_err().to_string();
    assert!(error.starts_with("preset: \"pytset\" is not valid; expected one of \"pytest\", "), "{error}");
}

#[test]
fn pytest() {
    check(
        Preset::Pytest,
        &[
            (0, ".    [100%]\n1 passed in 0.00s\n", "usual"),
            (0, "========= 1 skipped in 0.00s =========\n", "untested"),
            (0, "1 passed, 1 skipped in 0.01s\n", "usual"),
            (1, "FAILED test_fail.py::test_a - assert 0\n1 failed in 0.01s\n", "usual"),
            (1, "_____ ERROR at setup of test_a _____\nERROR t.py::test_a - ValueError\n1 error in 0.01s\n", "usual"),
            (1, "_____ ERROR collecting test_syntax.py _____\n1 passed, 1 error in 0.11s\n", "untested"),
            (1, "_____ ERROR collecting test_syntax.py _____\n1 failed, 1 error in 0.11s\n", "usual"),
            (2, "_____ ERROR collecting test_syntax.py _____\n1 error in 0.21s\n", "untested"),
            (3, "INTERNALERROR> \n", "untested"),
            (4, "ERROR: file or directory not found: test_nosuch.py\n", "untested"),
            (5, "no tests ran in 0.00s\n", "untested"),
            (127, "sh: pytest: not found\n", "usual"),
            (1, "/usr/bin/python3: No module named pytest\n", "untested"),
            (1, "E   ModuleNotFoundError: No module named 'pytest'\n1 failed in 0.01s\n", "usual"),
        ],
    );
}

#[test]
fn jest() {
    check(
        Preset::Jest,
        &[
            (0, "Test Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\n", "usual"),
            (0, "Test Suites: 1 skipped, 0 of 1 total\nTests:       1 skipped, 1 total\n", "untested"),
            (0, "No tests found, exiting with code 0\n", "untested"),
            (1, "FAIL t/fail.test.js\n  ✕ no (4 ms)\nTests:       1 failed, 1 total\n", "usual"),
            (1, "  ● Test suite failed to run\n\nTest Suites: 1 failed, 1 total\nTests:       0 total\n", "untested"),
            (1, "  ● Test suite failed to run\n\nTests:       2 passed, 2 total\n", "untested"),
            (1, "  ● Test suite failed to run\n\nTests:       1 failed, 2 passed, 3 total\n", "usual"),
            (1, "No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\n", "untested"),
            (1, "● Unrecognized CLI Parameter:\n", "untested"),
            (1, "● Validation Error:\n\n  Preset nosuch not found relative to rootDir /x.\n", "untested"),
            (1, "Error: Can't find a root directory while resolving a config file path.\n", "untested"),
        ],
    );
}

#[test]
fn vitest() {
    check(
        Preset::Vitest,
        &[
            (0, " Test Files  1 passed (1)\n      Tests  1 passed (1)\n", "usual"),
            (0, " Test Files  1 skipped (1)\n      Tests  1 skipped (1)\n", "untested"),
            (0, "      Tests  1 passed | 1 skipped (2)\n", "usual"),
            (0, "No test files found, exiting with code 0\n", "untested"),
            (1, " FAIL  t/fail.test.js > no\n Test Files  1 failed (1)\n      Tests  1 failed (1)\n", "usual"),
            (1, "⎯⎯⎯ Failed Suites 1 ⎯⎯⎯\n Test Files  1 failed (1)\n      Tests  no tests\n", "untested"),
            (1, "⎯⎯⎯ Failed Suites 1 ⎯⎯⎯\n Test Files  2 failed (2)\n      Tests  1 failed (1)\n", "usual"),
            (1, "      Tests  1 passed (1)\n     Errors  1 error\n", "usual"),
            (1, "No test files found, exiting with code 1\n", "untested"),
            (1, "CACError: Unknown option `--nosuchoption`\n", "untested"),
            (1, "failed to load config from /x/nosuch.json\n\n⎯⎯⎯ Startup Error ⎯⎯⎯\n", "untested"),
        ],
    );
}

/// Output of npm 6 and npm 10. A failed test is a failure, whatever npm prints after it.
#[test]
fn a_runner_missing_from_npm_is_unresolved() {
    let missing = "npm error npx canceled due to missing packages and no YES option: [\"vitest@4.1.12\"]\n";
    for preset in [Preset::Jest, Preset::Vitest, Preset::Mocha, Preset::Node] {
        check(
            preset,
            &[
                (1, missing, "untested"),
                (1, "npm error Missing script: \"test\"\nnpm error\n", "untested"),
                (1, "npm error code E404\nnpm error 404 Not Found - GET https://example.org/vitest\n", "untested"),
                (1, "npm ERR! could not determine executable to run\n", "untested"),
            ],
        );
    }
    let failed = "      Tests  1 failed (1)\nnpm error code ENOENT\n";
    let uncaught = "      Tests  1 passed (1)\n     Errors  1 error\nnpm ERR! code ELIFECYCLE\n";
    check(Preset::Vitest, &[(1, failed, "usual"), (1, uncaught, "usual")]);
}

#[test]
fn mocha() {
    check(
        Preset::Mocha,
        &[
            (0, "  ✔ ok\n\n  1 passing (2ms)\n", "usual"),
            (0, "\n  0 passing (0ms)\n", "untested"),
            (1, "  0 passing (2ms)\n  1 failing\n", "fail"),
            (125, "  0 passing (2ms)\n  125 failing\n", "fail"),
            (127, "  0 passing (2ms)\n  127 failing\n", "fail"),
            (130, "  0 passing (2ms)\n  130 failing\n", "fail"),
            (255, "  0 passing (2ms)\n  300 failing\n", "fail"),
            (127, "sh: 1: mocha: not found\n", "usual"),
            (130, "", "usual"),
            (1, "not ok 1 a\n# tests 1\n", "usual"),
            (1, " Exception during run: /x/t/syntax.js:2\nSyntaxError: Unexpected end of input\n", "untested"),
            (1, "Error: No test files found: \"t/nosuch.js\"\n", "untested"),
            (1, "✖ ERROR: Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/x/nosuch'\n", "untested"),
            (1, "\n  0 passing (1ms)\n", "untested"),
        ],
    );
}

#[test]
fn node() {
    let file = "not ok 1 - /x/syntax.test.js\n  failureType: 'testCodeFailure'\n  exitCode: 1\n";
    let syntax = format!("# /x/syntax.test.js:2\n# SyntaxError: Unexpected end of input\n{file}# pass 0\n# fail 1\n");
    let missing = format!("# Error: Cannot find module './nothere'\n{}# pass 0\n", file.replace(".js", ".mjs"));
    let both = format!("not ok 1 - no\n{syntax}");
    check(
        Preset::Node,
        &[
            (0, "ok 1 - ok\n# tests 1\n# pass 1\n# fail 0\n", "usual"),
            (0, "ok 1 - ok # SKIP test name does not match pattern\n# tests 1\n# pass 0\n# skipped 1\n", "untested"),
            (0, "ℹ tests 0\nℹ pass 0\n", "untested"),
            (1, "not ok 1 - no\n  error: 'x'\n# pass 0\n# fail 1\n", "usual"),
            (1, &syntax, "untested"),
            (1, &missing, "untested"),
            (1, &both, "usual"),
            (1, "SyntaxError: x\n✖ parses the answer (0.8ms)\n", "usual"),
            (1, "SyntaxError: x\n✖ test/syntax.test.ts (60.1ms)\n", "untested"),
            (1, "Could not find '/x/nosuch.test.js'\n", "untested"),
            (9, "node: bad option: --nosuchoption\n", "untested"),
        ],
    );
}

#[test]
fn cargo() {
    let failed = "test result: FAILED. 0 passed; 1 failed; 0 ignored\nerror: test failed, to rerun pass `--lib`\n";
    check(
        Preset::Cargo,
        &[
            (0, "running 1 test\ntest result: ok. 1 passed; 0 failed\ntest result: ok. 0 passed; 0 failed\n", "usual"),
            (0, "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 1 filtered out\n", "untested"),
            (0, "", "usual"),
            (101, failed, "usual"),
            (101, "running 1 test\nerror: test failed, to rerun pass `--lib`\n", "usual"),
            (101, "error[E0425]: cannot find function\ntest result: FAILED. 0 passed; 1 failed\n", "usual"),
            (101, "error: 2 targets failed:\n    `--lib`\n", "usual"),
            (101, "error: could not compile `cg` (lib test) due to 1 previous error\n", "untested"),
            (101, "error: failed to run custom build command for `cg v0.1.0 (/x)`\n", "untested"),
            (101, "error: no matching package named `nosuchdep` found\n", "untested"),
            (101, "error: no test target named `nosuch` in default-run packages\n", "untested"),
            (101, "error: could not find `Cargo.toml` in `/x` or any parent directory\n", "untested"),
            (1, "error: unexpected argument '--nosuchoption' found\n", "untested"),
            (1, "a harness of its own says no\nerror: test failed, to rerun pass `--test own`\n", "usual"),
            (100, "error: test run failed\n", "usual"),
            (4, "error: no tests to run\n", "untested"),
        ],
    );
}

#[test]
fn go() {
    check(
        Preset::Go,
        &[
            (0, "ok  \tx/pass\t0.002s\n", "usual"),
            (0, "ok  \tx/pass\t0.003s [no tests to run]\n", "untested"),
            (0, "?   \tx/empty\t[no test files]\n", "untested"),
            (0, "ok  \tx/pass\t(cached)\n?   \tx/empty\t[no test files]\n", "usual"),
            (1, "--- FAIL: TestA (0.00s)\n    a_test.go:3: x\nFAIL\nFAIL\tx/fail\t0.003s\nFAIL\n", "usual"),
            (1, "panic: test timed out after 1s\n", "usual"),
            (1, "FAIL\tx/broken [build failed]\nFAIL\n", "untested"),
            (1, "ok  \tx/pass\t0.1s\nFAIL\tx/broken [build failed]\nFAIL\n", "untested"),
            (1, "--- FAIL: TestA (0.00s)\nFAIL\tx/fail\t0.004s\nFAIL\tx/broken [build failed]\n", "usual"),
            (1, "FAIL\tx/setup [setup failed]\nFAIL\n", "untested"),
            (1, "{\"ImportPath\":\"x\",\"Action\":\"build-fail\"}\n", "untested"),
            (1, "go: cannot find main module\n", "untested"),
            (2, "flag provided but not defined: -x\n", "untested"),
        ],
    );
}

#[test]
fn ctest() {
    check(
        Preset::Ctest,
        &[
            (0, "1/1 Test #1: a .....   Passed    0.00 sec\n\n100% tests passed out of 1\n", "usual"),
            (0, "No tests were found!!!\n", "untested"),
            (8, "1/2 Test #1: a .....***Failed    0.00 sec\n", "usual"),
            (8, "1/1 Test #1: a .....***Timeout   1.00 sec\n", "usual"),
            (8, "1/1 Test #1: a .....***Exception: SegFault  0.01 sec\n", "usual"),
            (8, "1/1 Test #1: a .....***Not Run   0.00 sec\n", "untested"),
            (8, "1/2 Test #1: a ....***Not Run   0.00 sec\n2/2 Test #2: b ....***Failed    0.00 sec\n", "usual"),
            (8, "No tests were found!!!\nErrors while running CTest\n", "untested"),
            (1, "No test configuration file found!\n", "untested"),
        ],
    );
}
