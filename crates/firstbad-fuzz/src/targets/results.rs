//! Reports of test runners, and plans of commands.

use std::collections::HashSet;

use firstbad::Outcome;
use firstbad_results::{Format, Reader, Report, Request, ResultsAt, Runner, Tree, limits, read, signature};

pub(super) fn any(input: &[u8]) {
    if let Ok(report) = read(input) {
        check(&report);
    }
}

pub(super) fn junit(input: &[u8]) {
    of(Format::Junit, input);
}

pub(super) fn tap(input: &[u8]) {
    of(Format::Tap, input);
}

pub(super) fn jest(input: &[u8]) {
    of(Format::Jest, input);
}

pub(super) fn mocha(input: &[u8]) {
    of(Format::Mocha, input);
}

pub(super) fn go(input: &[u8]) {
    of(Format::Go, input);
}

pub(super) fn libtest(input: &[u8]) {
    of(Format::Libtest, input);
}

pub(super) fn jsonl(input: &[u8]) {
    of(Format::Jsonl, input);
}

/// Reads a report as that of the runner that it names, and as that of another one in a known tree.
fn of(format: Format, input: &[u8]) {
    let reader = Reader::new().format(format);
    let Ok(report) = reader.read(input) else { return };
    check(&report);
    let exists = |path: &str| matches!(path, "a.test.js" | "shop/tests/test_prices.py" | "src/lib.rs");
    let runner = Runner::ALL[input.len() % Runner::ALL.len()];
    if let Ok(report) = reader.runner(runner).tree(Tree::new("/srv/shop", &exists)).read(input) {
        check(&report);
    }
}

fn check(report: &Report) {
    let mut ids = HashSet::new();
    for test in &report.tests {
        assert!(ids.insert(&test.id), "{:?} is there twice", test.id);
        assert!(test.id.len() <= limits::LONGEST_ID && test.message.len() <= limits::LONGEST_MESSAGE);
        let outcome = match (test.passes, test.fails) {
            (0, 0) => Outcome::Unresolved,
            (_, 0) => Outcome::Pass,
            _ => Outcome::Fail,
        };
        assert_eq!(test.outcome, outcome);
        assert!(!test.skipped || outcome == Outcome::Unresolved);
        assert!(test.seconds.is_none_or(|seconds| seconds >= 0.0), "{:?}", test.seconds);
        if let Some(words) = &test.signature {
            assert!(
                words.chars().count() <= signature::LONGEST_SIGNATURE && !words.contains(char::is_control),
                "{words:?}"
            );
        }
    }
    let wanted: Vec<String> = report.tests.iter().map(|test| test.id.clone()).collect();
    for (test, answer) in report.tests.iter().zip(report.answers(&wanted)) {
        assert_eq!(answer, Some(test));
    }
    let json = serde_json::to_string(report).expect("a report has a JSON form");
    let again: Report = serde_json::from_str(&json).expect("it was written");
    assert_eq!(&again, report);
}

/// Reads the words of a command, an empty line, and ids, and plans commands of every runner.
pub(super) fn plan(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (command, tests) = text.split_once("\n\n").unwrap_or((&text, ""));
    let command: Vec<String> = command.lines().map(str::to_owned).collect();
    let tests: Vec<String> = tests.lines().map(str::to_owned).collect();
    let _ = Runner::recognize(&command);
    let results: ResultsAt = "tap:-".parse().expect("a format and a place");
    for runner in Runner::ALL {
        let request = Request { results: Some(&results), ..Request::new(&command, Some(&tests), "/f") };
        let Ok(plans) = runner.plan(&request) else { continue };
        let planned: HashSet<&String> = plans.iter().flat_map(|plan| plan.tests.iter().flatten()).collect();
        assert!(tests.iter().all(|test| planned.contains(test)), "{runner} leaves out a test");
        let again = runner.plan(&Request { again: true, version: Some((3, 20)), ..request });
        assert!(again.is_ok_and(|plans| !plans.is_empty() || tests.is_empty()), "{runner}");
    }
}
