//! Results that are written in a format are read again.

use std::fmt::Write as _;

use firstbad::Outcome::{self, Fail, Pass, Unresolved};
use firstbad_results::{Format, Reader, Report};
use proptest::prelude::*;

/// A test to write.
#[derive(Debug, Clone)]
struct Written {
    name: String,
    outcome: Outcome,
    message: String,
}

fn tests() -> impl Strategy<Value = Vec<Written>> {
    let outcome = prop::sample::select(vec![Pass, Fail, Unresolved]);
    let one =
        ("[^\\p{C}\\p{Z}]([^\\p{C}\\p{Z}]| ){0,10}[^\\p{C}\\p{Z}]", outcome, "[a-z<>&\"'\\]] ?[a-z<>&\"']{0,10}z");
    let test = one.prop_map(|(name, outcome, message)| Written { name, outcome, message });
    prop::collection::btree_map("[a-z]{1,8}", test, 1..8).prop_map(|tests| {
        // The key makes the name unique, and a name of TAP must not be a directive.
        tests
            .into_iter()
            .map(|(key, test)| Written { name: format!("{key} {}", test.name.replace('#', "%")), ..test })
            .collect()
    })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn junit(tests: &[Written]) -> String {
    let mut xml = "<?xml version=\"1.0\"?><testsuites><testsuite name=\"s\">".to_owned();
    for test in tests {
        write!(xml, "<testcase classname=\"c.d\" name=\"{}\" time=\"0.5\">", escaped(&test.name)).unwrap();
        match test.outcome {
            Fail => write!(xml, "<failure message=\"{}\" type=\"E\"/>", escaped(&test.message)).unwrap(),
            Unresolved => xml.push_str("<skipped/>"),
            Pass => {}
        }
        xml.push_str("</testcase>");
    }
    xml + "</testsuite></testsuites>"
}

fn tap(tests: &[Written]) -> String {
    let mut text = format!("TAP version 14\n1..{}\n", tests.len());
    for (number, test) in tests.iter().enumerate() {
        let name = test.name.replace('\\', "\\\\");
        let (word, end) = match test.outcome {
            Pass => ("ok", ""),
            Fail => ("not ok", ""),
            Unresolved => ("ok", " # SKIP"),
        };
        writeln!(text, "{word} {} - {name}{end}", number + 1).unwrap();
        if test.outcome == Fail {
            writeln!(text, "  ---\n  message: '{}'\n  ...", test.message.replace('\'', "''")).unwrap();
        }
    }
    text
}

fn jsonl(tests: &[Written]) -> String {
    let line = |test: &Written| {
        let outcome = test.outcome.as_str();
        format!(
            "{}\n",
            serde_json::json!({"id": test.name, "outcome": outcome, "message": test.message, "seconds": 0.5})
        )
    };
    "{\"runner\": \"custom\"}\n".to_owned() + &tests.iter().map(line).collect::<String>()
}

fn jest(tests: &[Written]) -> String {
    let case = |test: &Written| {
        let status = match test.outcome {
            Pass => "passed",
            Fail => "failed",
            Unresolved => "pending",
        };
        serde_json::json!({"fullName": test.name, "status": status, "failureMessages": [test.message], "duration": 500})
    };
    let cases: Vec<_> = tests.iter().map(case).collect();
    serde_json::json!({"numRuntimeErrorTestSuites": 0, "testResults": [{"name": "a.js", "status": "passed", "assertionResults": cases}]}).to_string()
}

fn mocha(tests: &[Written]) -> String {
    let of = |outcome: Outcome| -> Vec<serde_json::Value> {
        let chosen = tests.iter().filter(|test| test.outcome == outcome);
        chosen
            .map(|test| serde_json::json!({"fullTitle": test.name, "file": "a.js", "err": {"message": test.message}}))
            .collect()
    };
    serde_json::json!({"stats": {}, "passes": of(Pass), "failures": of(Fail), "pending": of(Unresolved)}).to_string()
}

fn go(tests: &[Written]) -> String {
    let mut text = String::new();
    for test in tests {
        let action = match test.outcome {
            Pass => "pass",
            Fail => "fail",
            Unresolved => "skip",
        };
        let line = |action: &str, output: &str| serde_json::json!({"Action": action, "Package": "p", "Test": test.name, "Output": output, "Elapsed": 0.5});
        let output = line("output", &format!("    a_test.go:3: {}\n", test.message));
        writeln!(text, "{}\n{output}\n{}", line("run", ""), line(action, "")).unwrap();
    }
    text
}

fn libtest(tests: &[Written]) -> String {
    let mut text = format!("\nrunning {} tests\n", tests.len());
    for test in tests {
        let word = match test.outcome {
            Pass => "ok",
            Fail => "FAILED",
            Unresolved => "ignored",
        };
        writeln!(text, "test {} ... {word}", test.name).unwrap();
    }
    text.push_str("\nfailures:\n\n");
    for test in tests.iter().filter(|test| test.outcome == Fail) {
        let (name, message) = (&test.name, &test.message);
        writeln!(text, "---- {name} stdout ----\n\nthread '{name}' panicked at src/a.rs:1:2:\n{message}\nnote: x\n")
            .unwrap();
    }
    text + "\ntest result: FAILED. 0 passed\n"
}

/// A format with its writer, and the start of its ids.
type Written1 = (Format, fn(&[Written]) -> String, &'static str);

const FORMATS: [Written1; 7] = [
    (Format::Junit, junit, "c.d::"),
    (Format::Tap, tap, ""),
    (Format::Jsonl, jsonl, ""),
    (Format::Jest, jest, "a.js::"),
    (Format::Mocha, mocha, "a.js::"),
    (Format::Go, go, "p::"),
    (Format::Libtest, libtest, ""),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_results_are_read_again(tests in tests()) {
        for (format, write, start) in FORMATS {
            let text = write(&tests);
            let report = Reader::new().format(format).read(text.as_bytes()).unwrap();
            let mut found: Vec<(&str, Outcome)> = report.tests.iter().map(|test| (test.id.as_str(), test.outcome)).collect();
            let ids: Vec<String> = tests.iter().map(|test| format!("{start}{}", test.name)).collect();
            let mut expected: Vec<(&str, Outcome)> = ids.iter().map(String::as_str).zip(tests.iter().map(|test| test.outcome)).collect();
            found.sort_unstable_by_key(|(id, _)| *id);
            expected.sort_unstable_by_key(|(id, _)| *id);
            prop_assert_eq!(found, expected, "{}:\n{}", format, text);
            prop_assert!(report.complete, "{}:\n{}", format, text);
            for test in tests.iter().filter(|test| test.outcome == Fail) {
                let id = format!("{start}{}", test.name);
                let read = report.tests.iter().find(|read| read.id == id).unwrap();
                prop_assert_eq!(&read.message, test.message.trim(), "{}:\n{}", format, text);
            }
            // A report is JSON, and two readings are equal.
            let json = serde_json::to_string(&report).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Report>(&json).unwrap(), &report);
            prop_assert_eq!(firstbad_results::read(text.as_bytes()).map(|report| report.format), Ok(format), "{}", text);
        }
    }

    #[test]
    fn any_text_ends_with_a_report_or_an_error(text in "\\PC{0,40}(\n\\PC{0,20}){0,6}") {
        for (format, _, _) in FORMATS {
            if let Ok(report) = Reader::new().format(format).read(text.as_bytes()) {
                let mut ids: Vec<&str> = report.tests.iter().map(|test| test.id.as_str()).collect();
                let count = ids.len();
                ids.sort_unstable();
                ids.dedup();
                prop_assert_eq!(ids.len(), count);
            }
        }
    }
}
