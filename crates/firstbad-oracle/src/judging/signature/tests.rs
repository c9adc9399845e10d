use crate::judging::signature::*;

fn signatures(given: Option<&str>) -> Signatures {
    Signatures::of(given.map(|pattern| Regex::new(pattern).unwrap())).unwrap()
}

fn signed(output: impl AsRef<[u8]>) -> String {
    signatures(None).sign("exit code 1", output.as_ref(), Path::new("/home/me/tree-1"))
}

/// Returns the recorded output of a tool.
fn recorded(name: &str, which: &str) -> String {
    let path = format!("{}/src/judging/signature/recorded/{name}.{which}.txt", env!("CARGO_MANIFEST_DIR"));
    let folder = if which == "a" { "/home/me/one" } else { "/srv/trees/two" };
    signatures(None).sign("exit code 1", &std::fs::read(path).unwrap(), Path::new(folder))
}

/// `a` and `b` are the same failure at other lines and in another folder. `c` is another failure.
#[test]
fn different_failures_have_different_signatures() {
    let expected = [
        ("cargo-build", "error[E#]: cannot find value `missing` in this scope"),
        ("cargo-test", "tests::adds: assertion `left == right` failed: the total left: # right: #"),
        ("gcc", "main.c:#:#: error: 'missing' undeclared (first use in this function)"),
        ("gcc-colour", "main.c:#:#: error: 'missing' undeclared (first use in this function)"),
        ("link", "main.c:(.text+#): undefined reference to `helper'"),
        ("make", "main.c:#:#: error: 'missing' undeclared (first use in this function)"),
        ("make-rule", "make: *** No rule to make target 'there', needed by 'all'. Stop."),
        ("node", "Error: Cannot find module './missing'"),
        ("node-test-spec", "adds: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 'a' !== 'b'"),
        ("node-test-tap", "adds: error: |- Expected values to be strictly equal: 'a' !== 'b'"),
        ("node-throw", "RangeError: too far"),
        ("pytest", "FAILED test_x.py::T::test_total - AssertionError: 'a' != 'b' - a + b"),
        ("pytest-collect", "E ModuleNotFoundError: No module named 'nothing_here'"),
        ("pytest-quiet", "FAILED test_x.py::T::test_total - FileNotFoundError: [Errno #] gone"),
        ("shell", "t.sh: #: ./missing.sh: not found"),
        ("syntax", "SyntaxError: '(' was never closed"),
        ("traceback", "RuntimeError: <object object at #> is no error in a.py"),
        ("unittest", "test_total (test_x.T.test_total): AssertionError: 'a' != 'b' - a + b"),
        ("unittest-error", "KeyError: 'k'"),
        ("words", "FAIL: total is #"),
        ("node-deep-tap", "adds things: error: |- Expected values to be strictly deep-equal: + 'x' - 'y'"),
        (
            "node-deep-spec",
            "adds things: AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal: + 'x' - 'y'",
        ),
        ("node-ok-dot", "adds things: assert.ok(f())"),
        ("node-deep", "AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal: + 'x' - 'y'"),
        (
            "mocha",
            "sums adds things: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: + 'a long text\\nwith more\\nlines and lines' - 'a long text\\nwith less\\nlines and lines' -with more",
        ),
        (
            "jest",
            "sums › adds things: expect(received).toThrow(expected) Expected substring: \"boom\" Received message: \"bang\"",
        ),
        ("jest-deep", "sums › adds things: expect(received).toEqual(expected) // deep equality - \"y\", + \"x\","),
        ("vitest", "a.test.mjs > sums > adds things: AssertionError: expected # to be # // Object.is equality - # + #"),
        ("pytest-where", "FAILED test_a.py::test_sum - assert # == # + where # = f(#) + and # = g(#)"),
        ("node-suite-tap", "fine: error: '# == #'"),
    ];
    let folder = format!("{}/src/judging/signature/recorded", env!("CARGO_MANIFEST_DIR"));
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 3 * expected.len());
    for (name, line) in expected {
        let [a, b, c] = ["a", "b", "c"].map(|which| recorded(name, which));
        assert_eq!(a, shortened(&format!("exit code 1: {line}")), "{name}");
        assert_eq!(a, b, "{name}");
        assert_ne!(a, c, "{name}");
    }
}

#[test]
fn signatures_omit_text_that_changes_between_runs() {
    let same = [
        ("error: 12 of 340", "error: # of #"),
        ("error at 0x7ffd1A2b and 5f3a9c0d1e", "error at # and #"),
        ("error in deadbeef of 550e8400-e29b-41d4-a716-446655440000", "error in deadbeef of #"),
        ("\x1b[1;31merror\x1b[0m: \x1b]8;;http://x\x07link\x1b]8;;\x1b\\", "error: link"),
        ("error: /home/me/tree-1/src/a.c and /home/me/tree-1", "error: src/a.c and ."),
        ("/tmp/ccX1y2.o: error in /private/var/folders/ab/cd1/T/x.o", "tmp: error in tmp"),
        ("  error:\t two   words \r", "error: two words"),
    ];
    for (line, expected) in same {
        assert_eq!(signed(line), format!("exit code 1: {expected}"), "{line:?}");
    }
    let temporary = format!("error: {}/x-77/y.", std::env::temp_dir().display());
    assert_eq!(signed(temporary), "exit code 1: error: tmp");
    let elsewhere = signatures(None).sign("timeout", b"error: /var/x/a", Path::new("/private/var/x"));
    assert_eq!(elsewhere, "timeout: error: a");
}

#[test]
fn the_last_error_line_is_the_signature() {
    for line in [
        "===== 1 failed, 1 error in 0.12s =====",
        "1 failed, 1 error in 0.12s (0:00:01)",
        "FAILED (failures=1, errors=1)",
        "Ran 3 tests in 0.123s",
        "ok 7 - throws an error",
        "test error ... ok",
        "    at error (a.js:1:2)",
        " 3 |   error()",
        "note: the error is above",
        "a.c:3:1: warning: error is not used",
        "test result: FAILED. 1 passed; 1 failed; finished in 0.33s",
        "make: *** [Makefile:3: all] Error 1",
        "error: could not compile `x` (lib) due to 1 previous error",
        "error: test failed, to rerun pass `--lib`",
        "Error: Process completed with exit code 1.",
        "collect2: error: ld returned 1 exit status",
        "npm error code 1",
        "subprocess.CalledProcessError: Command 'x' returned non-zero exit status 2.",
        "not ok 3",
    ] {
        let seen = signed(format!("a.c:1: error: first\nb.c:2: fatal error: second\n{line}\nbye\n"));
        assert_eq!(seen, "exit code 1: b.c:#: fatal error: second", "{line}");
    }
    assert_eq!(signed("make: *** [all] Error 1\nFAIL: a\n"), "exit code 1: FAIL: a");
    assert_eq!(signed("make: *** [all] Error 1\nbye\n"), "exit code 1: make: *** [all] Error #");
    assert_eq!((signed(""), signed("terror and mirrors\n")), ("exit code 1".to_owned(), "exit code 1".to_owned()));
}

#[test]
fn the_users_match_replaces_the_error_line() {
    let output = b"Error: total is 17\nfatal: more\n";
    let by = |pattern: &str| signatures(Some(pattern)).sign("exit code 2", output, Path::new("/x"));
    assert_eq!(by(r"total is \d+"), "exit code 2: total is 17");
    assert_eq!(by(r"total is (\d+)"), "exit code 2: 17");
    assert_eq!(by(r"(nothing)?total"), "exit code 2: total");
    assert_eq!(by("nowhere"), "exit code 2: fatal: more");
    assert_eq!(by("x*"), "exit code 2: fatal: more");
}

#[test]
fn signatures_are_short_and_printable_for_any_output() {
    let long = signed(format!("error: {}", "word \u{202e}".repeat(100_000)));
    assert_eq!(long.chars().count(), LONGEST);
    assert!(long.starts_with("exit code 1: error: word \\u{202e}word"), "{long}");
    let outputs: [&[u8]; 5] = [
        b"error: \xff\xfe\0\x1b[",
        b"\x1b[31m\nerror\x07:\n",
        b"error:\nerror:\nerror:\nerror:\n",
        b"\n\r\n",
        b"error:",
    ];
    for output in outputs {
        let seen = signed(output);
        assert!(seen.starts_with("exit code 1") && !seen.contains(char::is_control), "{seen:?}");
        assert!(seen.chars().count() <= LONGEST, "{seen:?}");
    }
    let mut endless = b"error: first\n".to_vec();
    endless.resize(LOOKED_AT + 13, b'x');
    assert_eq!(signed(&endless), "exit code 1");
}

#[test]
fn signatures_of_assertions_have_their_values_and_test() {
    for (output, expected) in [
        (
            "--- FAIL: TestSum (0.00s)\n    a_test.go:7: got x, want y\nFAIL\n",
            "--- FAIL: TestSum (#.#s) a_test.go:#: got x, want y",
        ),
        ("[ RUN      ] Sum.Adds\na.cc:5: Failure\n[  FAILED  ] Sum.Adds (0 ms)\n", "[ FAILED ] Sum.Adds (# ms)"),
        ("not ok 1 - one\nError: x\n- a\n+ b\n", "Error: x"),
        ("not ok 1 - one\nassert x\nbye\n", "one: assert x"),
        ("assert x:\n  one\n  two\n}\n  three\n", "assert x: one two"),
        ("error: |-\n  one\n  two\n...\ncode: 'ERR_ASSERTION'\n", "error: |- one"),
        ("+ ./test --fatal\nerror: x\n+ exit 1 # error\n", "error: x"),
    ] {
        assert_eq!(signed(output), format!("exit code 1: {expected}"), "{output:?}");
    }
    let values: String = (0..100).map(|place| format!("+ {}\n", "v".repeat(place % 3 + 1))).collect();
    let seen = signed(format!("not ok 1 - {}\nassert x\n{values}", "n".repeat(300)));
    assert_eq!(seen, format!("exit code 1: {}: assert x + v + vv + vvv + v + vv + vvv + v + vv", "n".repeat(80)));
}
