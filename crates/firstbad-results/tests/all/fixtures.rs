//! Recorded reports of real runners, in `tests/fixtures`, and their results beside them in `expected`.
//!
//! `FIRSTBAD_UPDATE=1` writes the results of today.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use firstbad_results::{Reader, Report, Scope, Tree};

/// The folder in which the reports were recorded, and its files.
const ROOT: &str = "/srv/shop";
const FILES: [&str; 10] = [
    "shop/tests/test_prices.py",
    "shop/tests/test_broken.py",
    "test_f.py",
    "a.test.js",
    "c.test.js",
    "sub/b.test.js",
    "test/a.js",
    "src/lib.rs",
    "tests/prices.rs",
    "prices/prices_test.go",
];

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Returns the names of all fixtures in order.
pub(crate) fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.path().is_file()).map(|entry| entry.file_name());
    let mut names: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

pub(crate) fn read(name: &str) -> Report {
    let exists = |path: &str| FILES.contains(&path);
    let reader = Reader::new().tree(Tree::new(ROOT, &exists));
    reader.read(&std::fs::read(folder().join(name)).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Writes a line for each result.
fn described(report: &Report) -> String {
    let runner = report.runner.map_or("unknown", |runner| runner.as_str());
    let end = if report.complete { "" } else { ", cut" };
    let mut text = format!("{} of {runner}{end}\n", report.format.as_str());
    for test in &report.tests {
        let scope = match test.scope {
            Scope::Test => "",
            Scope::Group => " group",
            Scope::File => " file",
        };
        let skipped = if test.skipped { " skipped" } else { "" };
        let outcome = test.outcome.as_str();
        writeln!(text, "{outcome}{skipped}{scope} {}+{}: {:?}", test.passes, test.fails, test.id).unwrap();
        if let Some(signature) = &test.signature {
            writeln!(text, "    {signature}").unwrap();
        }
    }
    text
}

#[test]
fn recorded_reports_have_their_results() {
    let mut wrong = Vec::new();
    for name in names() {
        let found = described(&read(&name));
        let file = folder().join("expected").join(format!("{name}.txt"));
        if std::env::var_os("FIRSTBAD_UPDATE").is_some() {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{name}:\n{found}\nexpected:\n{expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_cases_of_a_report_are_read() {
    for name in names().iter().filter(|name| name.ends_with(".xml")) {
        let text = std::fs::read_to_string(folder().join(name)).unwrap();
        let read: usize = text.matches("<testcase").count();
        let report = read_unmerged(&text);
        assert_eq!(report, read, "{name}");
    }
}

/// Returns the number of cases if every case has its own name.
fn read_unmerged(text: &str) -> usize {
    let mut unique = String::new();
    for (number, part) in text.split("<testcase").enumerate() {
        if number > 0 {
            unique.push_str("<testcase");
        }
        unique.push_str(&part.replacen(" name=\"", &format!(" name=\"{number} "), 1));
    }
    firstbad_results::read(unique.as_bytes()).unwrap().tests.len()
}

#[test]
fn a_cut_report_keeps_the_results_before_its_end() {
    for name in ["pytest.xml", "node-24.xml", "vitest.xml", "go.jsonl", "pytest-plugin.jsonl", "cargo.txt", "mocha.tap"]
    {
        let whole = read(name);
        let text = std::fs::read_to_string(folder().join(name)).unwrap();
        let cut = text.char_indices().nth(text.chars().count() * 2 / 5).unwrap().0;
        let report = firstbad_results::Reader::new().format(whole.format).read(&text.as_bytes()[..cut]).unwrap();
        assert!(!report.tests.is_empty() && report.tests.len() <= whole.tests.len(), "{name}");
        assert!(!report.complete, "{name}");
    }
}

#[test]
fn reports_in_other_encodings_are_read() {
    let text = std::fs::read_to_string(folder().join("cargo-stdout.txt")).unwrap();
    let utf16: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(firstbad_results::read(&utf16).unwrap(), firstbad_results::read(text.as_bytes()).unwrap());
    let marked = [b"\xef\xbb\xbf".as_slice(), text.as_bytes()].concat();
    assert_eq!(firstbad_results::read(&marked).unwrap(), firstbad_results::read(text.as_bytes()).unwrap());
}
