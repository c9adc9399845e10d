//! Invalid, hostile, and huge reports.

use firstbad::Error;
use firstbad_results::{limits, read};

/// Returns the code and the message of the error for a report.
fn error(report: &[u8]) -> (&'static str, String) {
    let error = read(report).unwrap_err();
    (error.code(), error.to_string())
}

#[test]
fn errors_name_the_problem_the_value_and_the_fix() {
    let deep = "<testsuite>".repeat(limits::DEEPEST + 1);
    let tap = format!("ok 1\n{}ok 1 - deep\n", " ".repeat(4 * (limits::DEEPEST + 1)));
    let long = format!("{{\"id\": \"{}\", \"outcome\": \"pass\"}}", "a".repeat(limits::LONGEST_ID + 1));
    let cases: [(&[u8], &str, &str); 11] = [
        (b"", "empty_report", "the test report is empty\nhelp: check that"),
        (b" \n", "empty_report", "empty"),
        (b"hello\nworld", "unknown_format", "unknown format of a test report: \"hello\"\nhelp: pass JUnit XML, TAP"),
        (b"<html></html>", "unknown_format", "\"<html></html>\""),
        (b"<testsuite>\n<testcase></b>", "report_syntax", "line 2: not valid JUnit XML: "),
        (b"<?xml version='1.0'?><a/>", "report_syntax", "no <testsuite> and no <testcase>"),
        (b"{\"testResults\": [\n3]}", "report_syntax", "line 2: not valid JSON of Jest or Vitest: \"invalid type"),
        (
            b"{\"id\": \"a\", \"outcome\": \"perhaps\"}",
            "unknown_outcome",
            "line 1: unknown outcome \"perhaps\"\nhelp: write pass, fail",
        ),
        (deep.as_bytes(), "report_too_deep", "line 1: nested more than 200 levels deep\nhelp: pass several"),
        (tap.as_bytes(), "report_too_deep", "line 2: "),
        (long.as_bytes(), "long_id", "a test id has 16385 bytes"),
    ];
    for (report, code, words) in cases {
        let (found, message) = error(report);
        assert_eq!(found, code, "{message}");
        assert!(message.contains(words) && message.matches("\nhelp: ").count() == 1, "{message}");
    }
    let large = vec![b' '; limits::LARGEST_REPORT + 1];
    assert_eq!(error(&large).0, "report_too_large");
}

#[test]
fn errors_are_safe_for_terminals_and_become_errors_of_the_core() {
    let (_, message) = error("\u{1b}[2J\u{202e}evil".as_bytes());
    assert!(message.contains("\\u{1b}[2J\\u{202e}evil"), "{message}");
    let error = Error::from(read(b"what").unwrap_err());
    assert_eq!((error.code(), error.argument()), ("unknown_format", None));
}

#[test]
fn entities_are_not_expanded() {
    let xml = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"bbbbbbbb\"><!ENTITY c \"&b;&b;\"><!ENTITY d SYSTEM \"file:///etc/passwd\">]>\
               <testsuite><testcase name=\"&c;&lt;&#65;&#x110000;\" classname=\"x\"><failure message=\"&d;\">&c; & &amp;</failure></testcase></testsuite>";
    let report = read(xml.as_bytes()).unwrap();
    assert_eq!(report.tests[0].id, "x::&c;<A&#x110000;");
    assert_eq!(report.tests[0].message, "&d;");
}

#[test]
fn long_messages_are_cut() {
    let message = "m".repeat(1 << 20);
    let xml = format!(
        "<testsuite><testcase name=\"a\"><failure message=\"{message}\">{message}</failure></testcase></testsuite>"
    );
    assert_eq!(read(xml.as_bytes()).unwrap().tests[0].message.len(), limits::LONGEST_MESSAGE);
}

#[test]
fn deep_json_is_rejected() {
    let deep = format!("{{\"testResults\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(error(deep.as_bytes()).0, "report_syntax");
    let line = format!("{{\"id\": \"a\", \"outcome\": {}{}}}\n", "[".repeat(100_000), "]".repeat(100_000));
    assert!(read(line.as_bytes()).is_err());
}
