//! A triage in every format, with names of tests, commits, and people that nobody should trust.

use std::path::Path;

use firstbad::{Report, TriageReport};
use firstbad_report::{Form, Known, Summary};
use firstbad_testkit::red_suite::{RedSuite, Texts};
use serde_json::Value;

/// A text with a meaning in every format.
const NASTY: &str =
    "`it` | <img src=x> </details> --> [a](javascript:b) @all #1 ::error::\u{1b}[2J\u{202e} ##[x] %0A*x* ]]>\n";

fn report(text: &str, most: usize) -> TriageReport {
    RedSuite::new(&Texts::all(text)).unwrap().search(most).unwrap().1
}

fn summary(report: TriageReport) -> Summary {
    let known = Known {
        journal: Some("night.jsonl".to_owned()),
        is_last_run: true,
        at_command_line: true,
        resumes: true,
        repository: Some("/a/repository".to_owned()),
        ..Known::default()
    };
    Summary::of(Report::Triage(Box::new(report)), known).unwrap()
}

fn written(report: TriageReport, form: Form) -> String {
    summary(report).in_form(form).unwrap()
}

/// Compares a text with a file, or writes the file with `WRITE_VECTORS=1`.
fn is_as_in(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/triage").join(file);
    if std::env::var_os("WRITE_VECTORS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{file} changes with WRITE_VECTORS=1:\n{text}");
}

#[test]
fn text_has_a_block_for_each_culprit_and_a_line_for_each_other_verdict() {
    is_as_in("found.txt", &written(report("", usize::MAX), Form::Text));
    is_as_in("running.txt", &written(report("", 12), Form::Text));
}

#[test]
fn text_stays_text() {
    let text = written(report(NASTY, usize::MAX), Form::Text);
    assert!(!text.contains(['\u{1b}', '\u{202e}']) && !text.contains("##["), "{text}");
    assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
    let lines = written(report("", usize::MAX), Form::Text).lines().count();
    assert_eq!(text.lines().count(), lines, "no name starts a line: {text}");
}

#[test]
fn evidence_is_only_what_was_observed() {
    let mut report = report("", usize::MAX);
    let culprit = &mut report.culprits[0];
    culprit.evidence.passing = 3;
    culprit.evidence.at_parents.fails = 2;
    culprit.evidence.failing = 16;
    let fails = culprit.evidence.at_commit.fails;
    culprit.evidence.at_commit.passes = 1;
    let passes = culprit.evidence.at_parents.passes;
    let text = written(report.clone(), Form::Text);
    let expected = format!(
        "16 of 17 tests failed here (1 of {} runs passed); 3 of them ran at its parent 6f4b6612125f and pass (2 of {} runs there failed); ",
        fails + 1,
        passes + 2
    );
    assert!(text.contains(&expected), "{text}");
    // Without a run at a parent, nothing is said about it.
    report.culprits[0].evidence.passing = 0;
    report.tests.iter_mut().for_each(|test| test.observations.clear());
    let text = written(report, Form::Text);
    assert!(text.contains("; not tested at its parent 6f4b6612125f"), "{text}");
}

#[test]
fn a_broken_build_is_the_answer() {
    let mut report = report("", usize::MAX);
    report.status = firstbad::Status::Untestable;
    report.culprits.truncate(1);
    report.culprits[0].tests = vec!["(build)".to_owned()];
    let text = written(report, Form::Text);
    assert!(text.starts_with("Cannot build main: 785f3ec7eb32 Round prices to ten cents broke the build\n"), "{text}");
}

#[test]
fn json_has_the_report_and_the_exit_code() {
    let report = report(NASTY, usize::MAX);
    let text = written(report.clone(), Form::Json);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&json["schema"], &json["algorithm"], &json["exit_code"]), (&1.into(), &"triage".into(), &10.into()));
    let read = firstbad_report::read("triage", &text).unwrap();
    assert_eq!(Report::from_json("triage", &read).unwrap(), Report::Triage(Box::new(report)));
}
