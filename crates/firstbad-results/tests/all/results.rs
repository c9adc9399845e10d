//! Reports become the results of an observation.

use firstbad::Outcome::{Fail, Pass, Unresolved};
use firstbad::{Error, TestResult};
use firstbad_results::{Reader, Report, Runner, Source, limits, read, read_results, results};

fn go(lines: &[(&str, &str)]) -> Report {
    let line = |(test, action): &(&str, &str)| {
        format!(r#"{{"Action":"{action}","Package":"shop","Test":"{test}","Elapsed":1}}"#)
    };
    Reader::new().runner(Runner::Go).read(lines.iter().map(line).collect::<Vec<_>>().join("\n").as_bytes()).unwrap()
}

#[test]
fn results_hold_tests_without_groups_and_files() {
    let report =
        go(&[("TestA", "run"), ("TestA/one", "run"), ("TestA/one", "pass"), ("TestA", "pass"), ("TestB", "skip")]);
    let seconds = Some(1.0);
    let expected = [
        ("shop::TestA/one".to_owned(), TestResult { seconds, ..Pass.into() }),
        ("shop::TestB".to_owned(), TestResult { seconds, ..Unresolved.into() }),
    ];
    assert_eq!(report.results(), expected.into());
    // A wanted group has its result.
    let wanted = ["shop::TestA".to_owned(), "shop::TestC".to_owned()];
    assert_eq!(report.results_of(&wanted).into_keys().collect::<Vec<_>>(), ["shop::TestA"]);
}

#[test]
fn runs_of_several_reports_are_added() {
    let first = read(br#"{"id": "a", "outcome": "pass", "seconds": 1}"#).unwrap();
    let second = read(br#"{"id": "a", "outcome": "fail", "seconds": 2, "message": "no"}"#).unwrap();
    let expected = TestResult {
        signature: Some("no".to_owned()),
        seconds: Some(3.0),
        passes: Some(1),
        fails: Some(1),
        ..Fail.into()
    };
    assert_eq!(results([&first, &second]), [("a".to_owned(), expected)].into());
}

#[test]
fn files_and_contents_are_read_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("night.tap");
    std::fs::write(&path, "TAP version 14\nok 1 - a\nnot ok 2 - b\n1..2\n").unwrap();
    let content = b"<testsuite><testcase classname=\"tests.test_a.Sum\" name=\"b\"/></testsuite>".to_vec();
    let sources = [Source::File(path), Source::Content(content)];
    let ids = |runner| read_results(&sources, runner, folder.path()).unwrap().into_keys().collect::<Vec<_>>();
    assert_eq!(ids(None), ["a", "b", "tests.test_a.Sum::b"]);
    assert_eq!(ids(Some(Runner::Pytest)), ["a", "b", "tests/test_a.py::Sum::b"]);
    // The longest module that exists is the file.
    std::fs::create_dir_all(folder.path().join("tests/test_a")).unwrap();
    std::fs::write(folder.path().join("tests/test_a/Sum.py"), "").unwrap();
    assert_eq!(ids(Some(Runner::Pytest)), ["a", "b", "tests/test_a/Sum.py::b"]);
}

#[test]
fn an_error_about_a_file_names_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("night.xml");
    let error = |bytes: Option<usize>| {
        if let Some(bytes) = bytes {
            std::fs::File::create(&path).unwrap().set_len(bytes as u64).unwrap();
        }
        let error = Reader::new().read_file(&path).unwrap_err();
        let text = error.to_string();
        let (error, start) = (Error::from(error), format!("{}: the test report ", path.display()));
        assert!(text.starts_with(&start) && text.contains("\nhelp: "), "{text}");
        assert_eq!(error.to_string(), text);
        error.code()
    };
    assert_eq!(error(None), "io");
    assert_eq!(error(Some(0)), "empty_report");
    assert_eq!(error(Some(limits::LARGEST_REPORT + 1)), "report_too_large");
}
