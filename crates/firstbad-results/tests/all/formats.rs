//! Small reports for rules that the recorded reports do not have, as the documentation of each tool describes them.

use firstbad::Outcome::{self, Fail, Pass, Unresolved};
use firstbad_results::{Format, Reader, Report, Runner, Scope, bazel_label, read};

fn lines(report: &Report) -> Vec<(&str, Outcome, u32, u32)> {
    report.tests.iter().map(|test| (test.id.as_str(), test.outcome, test.passes, test.fails)).collect()
}

#[test]
fn surefire_reruns_are_counted() {
    let xml = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="com.example.ShopTest" time="1,234.5" tests="3" errors="0" skipped="0" failures="1">
  <testcase name="flaky" classname="com.example.ShopTest" time="0.1">
    <flakyFailure message="expected: &lt;1&gt; but was: &lt;2&gt;" type="org.opentest4j.AssertionFailedError">
      <stackTrace><![CDATA[org.opentest4j.AssertionFailedError]]></stackTrace><system-out>out</system-out></flakyFailure>
    <flakyError type="java.lang.IllegalStateException"/>
  </testcase>
  <testcase name="red" classname="com.example.ShopTest" time="1,234.5">
    <failure message="no" type="java.lang.AssertionError"><![CDATA[java.lang.AssertionError: no]]></failure>
    <rerunFailure message="no" type="java.lang.AssertionError"/>
    <rerunError type="java.io.IOException"/>
  </testcase>
  <testcase name="green" classname="com.example.ShopTest" time="0"/>
</testsuite>"#;
    let report = read(xml.as_bytes()).unwrap();
    let expected = [
        ("com.example.ShopTest::flaky", Fail, 1, 2),
        ("com.example.ShopTest::red", Fail, 0, 3),
        ("com.example.ShopTest::green", Pass, 1, 0),
    ];
    assert_eq!(lines(&report), expected);
    assert!(report.tests[0].is_flaky() && !report.tests[1].is_flaky());
    assert_eq!(report.tests[0].signature.as_deref(), Some("AssertionFailedError: expected: <#> but was: <#>"));
    assert_eq!(report.tests[1].seconds, Some(1234.5));
    assert_eq!(report.red().count(), 2);
}

#[test]
fn junit_of_other_tools_is_read() {
    let xml = r#"<testsuites><testsuite name="Sum" tests="3">
  <testcase name="Adds" file="sum_test.cc" line="5" status="run" result="completed" time="0.1" classname="Sum">
    <failure message="sum_test.cc:6&#x0A;Expected equality" type=""><![CDATA[sum_test.cc:6
Expected equality]]></failure><failure message="second" type=""></failure></testcase>
  <testcase name="DISABLED_Slow" status="notrun" result="suppressed" time="0." classname="Sum"/>
  <testcase name="Bad" status="failed" classname="Sum"/></testsuite>
  <testsuite name="outer"><testsuite name="inner"><testcase name="a"/></testsuite>
  <error message="the suite did not start" type="java.lang.ExceptionInInitializerError"/></testsuite></testsuites>"#;
    let report = read(xml.as_bytes()).unwrap();
    let expected = [
        ("Sum::Adds", Fail, 0, 1),
        ("Sum::DISABLED_Slow", Unresolved, 0, 0),
        ("Sum::Bad", Fail, 0, 1),
        ("outer > inner::a", Pass, 1, 0),
        ("outer", Unresolved, 0, 0),
    ];
    assert_eq!(lines(&report), expected);
    assert_eq!(report.tests[4].scope, Scope::File);
    assert_eq!(report.tests[4].kind.as_deref(), Some("ExceptionInInitializerError"));
}

#[test]
fn bazel_targets_are_labels() {
    let xml = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="shop/prices_test" tests="1" failures="0" errors="1">
<testcase name="shop/prices_test" status="run" duration="1" time="1"><error message="exited with error code 1"></error></testcase>
<system-out>
Generated test.log (if the file is not UTF-8, then this may be unreadable):
<![CDATA[AssertionError: 3 is not 4]]></system-out></testsuite></testsuites>"#;
    let report = Reader::new().runner(Runner::Bazel).read(xml.as_bytes()).unwrap();
    assert_eq!(lines(&report), [("//shop:prices_test", Fail, 0, 1)]);
    for (path, label) in [
        ("bazel-testlogs/shop/prices_test/test.xml", Some("//shop:prices_test")),
        ("/a/bazel-out/k8-fastbuild/testlogs/a/b/c/test.xml", Some("//a/b:c")),
        ("bazel-testlogs/top_test/shard_1_of_2/run_2_of_3/test.xml", Some("//:top_test")),
        ("bazel-testlogs/a/b/test_attempts/attempt_1.xml", Some("//a:b")),
        ("testlogs/test.xml", None),
        ("shop/test.xml", None),
    ] {
        assert_eq!(bazel_label(path).as_deref(), label, "{path}");
    }
}

#[test]
fn tap_has_subtests_directives_and_bail_out() {
    let tap = "TAP version 14\n1..9\nok 1 - one # time=12ms\nnot ok 2 two\n  ---\n  message: 'it''s 3'\n  severity: fail\n  at:\n    line: 3\n  ...\n\
               ok 3 # skip no database\nok\nnot ok 5 - todo # TODO later\n# Subtest: outer\n    # Subtest: inner\n        ok 1 - a \\# b\n        1..1\n    \
               ok 1 - inner\n    1..1\nok 6 - outer\nnot ok 7 - eight\n# AssertionError: no 8\nBail out! disk full\nok 8\n";
    let report = read(tap.as_bytes()).unwrap();
    let expected = [
        ("one", Pass, 1, 0),
        ("two", Fail, 0, 1),
        ("test 3", Unresolved, 0, 0),
        ("test", Pass, 1, 0),
        ("todo", Unresolved, 0, 0),
        ("outer > inner > a # b", Pass, 1, 0),
        ("outer > inner", Pass, 1, 0),
        ("outer", Pass, 1, 0),
        ("eight", Fail, 0, 1),
    ];
    assert_eq!(lines(&report), expected);
    assert_eq!(report.tests[0].seconds, Some(0.012));
    assert_eq!(report.tests[1].message, "it's 3");
    assert_eq!(report.tests[2].message, "no database");
    assert_eq!(report.tests[7].scope, Scope::Group);
    assert_eq!(report.tests[8].signature.as_deref(), Some("AssertionError: no #"));
    assert!(!report.complete);
    assert!(read(b"1..2\nok 1 - a\nok 2 - b\n").unwrap().complete);
    assert!(!read(b"1..2\nok 1 - a\n").unwrap().complete);
}

#[test]
fn rust_binaries_can_write_json() {
    let json = "{ \"type\": \"suite\", \"event\": \"started\", \"test_count\": 2 }\n\
                { \"type\": \"test\", \"event\": \"started\", \"name\": \"a\" }\n\
                { \"type\": \"test\", \"name\": \"a\", \"event\": \"ok\", \"exec_time\": 0.5 }\n\
                { \"type\": \"test\", \"name\": \"b\", \"event\": \"failed\", \"stdout\": \"thread 'b' panicked at src/lib.rs:1:2:\\nno 3\\n\" }\n";
    let report = read(json.as_bytes()).unwrap();
    assert_eq!((report.format, lines(&report)), (Format::Libtest, vec![("a", Pass, 1, 0), ("b", Fail, 0, 1)]));
    assert_eq!(report.tests[1].signature.as_deref(), Some("panic: no # in src/lib.rs"));
    // With `--nocapture`, the status follows the output.
    let text = "running 3 tests\ntest a ... words of a\nok\ntest b ... FAILED\ntest c ... bench:  1,234 ns/iter (+/- 5)\n\ntest result: FAILED.\n";
    assert_eq!(lines(&read(text.as_bytes()).unwrap()), [("a", Pass, 1, 0), ("b", Fail, 0, 1), ("c", Pass, 1, 0)]);
    // The standard error came first, so that no binary has its name.
    let text = "Running unittests src/lib.rs (target/debug/deps/one-0123456789abcdef)\n\
                Running tests/two.rs (target/debug/deps/two-0123456789abcdef)\n\
                running 1 test\ntest a ... ok\ntest result: ok.\nrunning 1 test\ntest b ... ok\ntest result: ok.\n";
    assert_eq!(lines(&read(text.as_bytes()).unwrap()), [("a", Pass, 1, 0), ("b", Pass, 1, 0)]);
}

#[test]
fn json_lines_of_custom_runners_are_read() {
    let text = "words of the runner\n{\"level\": \"info\", \"id\": 3}\n{\"started\": \"a\"}\n{\"id\": \"a\", \"outcome\": \"passed\", \"seconds\": 1.5}\n\
                {\"test\": \"b c\", \"outcome\": false, \"type\": \"E\", \"message\": \"no 1\"}\n{\"id\": \"a\", \"outcome\": \"FAIL\"}\n\
                {\"id\": \"d\", \"outcome\": \"skipped\", \"reason\": \"slow\"}\n{\"id\": \"e\", \"outcome\": null}\n{\"started\": \"f\"}\n\
                {\"id\": \"g\", \"outcome\": \"pass\", \"passes\": 3, \"fails\": 1}\n{\"id\": \"h\", \"outc";
    let report = read(text.as_bytes()).unwrap();
    let expected = [
        ("a", Fail, 1, 1),
        ("b c", Fail, 0, 1),
        ("d", Unresolved, 0, 0),
        ("e", Unresolved, 0, 0),
        ("g", Fail, 3, 1),
        ("f", Unresolved, 0, 0),
    ];
    assert_eq!(lines(&report), expected);
    assert!(!report.complete && report.tests[2].skipped);
    assert_eq!((report.tests[0].seconds, report.tests[5].message.as_str()), (Some(1.5), "the test did not end"));
}

#[test]
fn lines_before_a_report_are_ignored() {
    for (text, format) in [
        ("> shop@1.0.0 test\n> jest\n\n{\"testResults\": []}\n", Format::Jest),
        ("npm notice\n<testsuites/>", Format::Junit),
        ("building\nok 1 - a\n1..1\n", Format::Tap),
        ("   Compiling shop v0.1.0\n\nrunning 0 tests\n", Format::Libtest),
        ("# example.com/shop\n{\"Action\":\"pass\",\"Package\":\"a\"}\n", Format::Go),
        ("{\"stats\": {}, \"passes\": [], \"failures\": [], \"pending\": []}", Format::Mocha),
        ("{\"runner\": \"pytest\"}\n", Format::Jsonl),
    ] {
        assert_eq!(read(text.as_bytes()).map(|report| report.format), Ok(format), "{text}");
    }
}

#[test]
fn ids_of_another_report_are_answered() {
    let json = r#"{"testResults": [{"name": "/ci/shop/a.test.js", "status": "passed", "assertionResults": [
        {"fullName": "sums adds", "status": "passed"}, {"fullName": "dup", "status": "failed"}]},
        {"name": "/ci/shop/b.test.js", "status": "passed", "assertionResults": [{"fullName": "dup", "status": "passed"}]}]}"#;
    let report = read(json.as_bytes()).unwrap();
    let wanted =
        ["shop/a.test.js::sums > adds", "sums adds", "b.test.js::dup", "dup", "c.test.js::dup", "a"].map(str::to_owned);
    let ids: Vec<Option<&str>> = report.answers(&wanted).iter().map(|test| test.map(|test| test.id.as_str())).collect();
    let adds = Some("/ci/shop/a.test.js::sums adds");
    assert_eq!(ids, [adds, adds, Some("/ci/shop/b.test.js::dup"), None, None, None]);
    assert_eq!(report.file_outcome("/ci/shop/a.test.js"), Pass);
    assert_eq!(report.file_outcome("/ci/shop/c.test.js"), Unresolved);
}
