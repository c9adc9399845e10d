//! The memory of a process that reads large reports and triages their failures.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use firstbad::{Search as _, TriageConfig, TriageSearch};
use firstbad_results::{Source, read_results};
use firstbad_testkit::simulated::Random;
use serde_json::json;

use super::large::{COMMITS, Night};
use crate::figure::{Aim, Figure};
use crate::memory::status_mib;
use crate::options::Options;
use crate::speed::measure_in_child;

const TESTS: usize = 10_000;
const RED: usize = 500;
/// The lines of a traceback.
const LINES: usize = 40;

/// Returns the name of a test. Every twentieth test is red.
fn name(test: usize) -> (String, String) {
    (format!("tests.test_part_{}", test / 100), format!("test_case_{test}"))
}

fn id(test: usize) -> String {
    format!("tests/test_part_{}.py::test_case_{test}", test / 100)
}

fn is_red(test: usize) -> bool {
    test.is_multiple_of(TESTS / RED)
}

fn night() -> Result<Night, String> {
    Night::new((0..TESTS).filter(|&test| is_red(test)).map(id).collect(), true)
}

/// Returns the error of a culprit. Signatures of failures do not keep digits.
fn error(culprit: usize) -> String {
    let letter = |number: usize| char::from(b'A' + (number % 26) as u8);
    format!("Part{}{}Error", letter(culprit / 26), letter(culprit))
}

/// Returns a report of pytest.
fn report(night: Option<&Night>) -> String {
    let mut xml = format!("<testsuites><testsuite name=\"pytest\" tests=\"{TESTS}\">\n");
    for test in 0..TESTS {
        let (class, name) = name(test);
        let _ = write!(xml, "<testcase classname=\"{class}\" name=\"{name}\" time=\"0.012\">");
        if let Some(night) = night.filter(|_| is_red(test)) {
            let error = night.culprits[&id(test)].map_or_else(|| "TimeoutError".to_owned(), error);
            let message = format!("{error}: no such item");
            let _ = write!(xml, "<failure message=\"{message}\">");
            for line in 0..LINES {
                let _ = writeln!(xml, "tests/test_part_{}.py:{line}: in test_case_{test}", test / 100);
            }
            let _ = write!(xml, "E   {message}</failure>");
        }
        xml.push_str("</testcase>\n");
    }
    xml + "</testsuite></testsuites>\n"
}

/// Measures a process, so that nothing else counts.
pub(super) fn figures(_: &Options) -> Result<Vec<Figure>, String> {
    let words = |error: std::io::Error| format!("writing reports: {error}");
    let folder = tempfile::tempdir().map_err(words)?;
    let night = night()?;
    for (file, report) in [("tonight.xml", report(Some(&night))), ("last.xml", report(None))] {
        std::fs::write(folder.path().join(file), report).map_err(words)?;
    }
    let measured = measure_in_child("triage", folder.path())?;
    let number = |field: &str| measured[field].as_f64().unwrap_or(f64::NAN);
    println!("### Memory\n");
    println!("Two JUnit reports of {TESTS} tests, {RED} of them red, {COMMITS} commits, a triage to its end.\n");
    println!(
        "{} tests read, {} searched in {} probes and {} builds. Verdicts: {}.\n",
        number("tests"),
        number("red"),
        number("probes"),
        number("builds"),
        measured["verdicts"],
    );
    println!("| target | measured | aim | |\n|---|---|---|---|");
    let figures = vec![
        Figure::told("resident set after the reports and the history", number("before_mib"), "MiB"),
        Figure::aimed("peak resident set of the process", number("peak_mib"), "MiB", Aim::AtMost(500.0)),
    ];
    figures.iter().for_each(Figure::print);
    Ok(figures)
}

/// Reads reports, triages their failures, and prints the memory of this process as JSON.
pub(crate) fn run(folder: &Path) -> Result<bool, String> {
    let words = |error: firstbad::Error| error.to_string();
    let night = night()?;
    let read = |file: &str| {
        let source = [Source::File(folder.join(file))];
        read_results(&source, None, folder).map_err(|error| error.to_string())
    };
    let (tonight, last) = (read("tonight.xml")?, read("last.xml")?);
    let tests = tonight.len();
    let before = status_mib("VmRSS");
    let config = TriageConfig { tonight, last, ..night.config() };
    let mut search = TriageSearch::new(Arc::clone(&night.graph), config).map_err(words)?;
    let (mut random, mut probes) = (Random::new(3), 0);
    while let Some(probe) = search.ask(1).map_err(words)?.pop() {
        let seen = night.run(&search, &probe, &mut random);
        search.tell(probe.id, seen).map_err(words)?;
        probes += 1;
    }
    let report = search.report();
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    report.tests.iter().for_each(|test| *verdicts.entry(test.verdict.as_str()).or_default() += 1);
    println!(
        "{}",
        json!({
            "tests": tests, "red": report.tests.len(), "probes": probes, "builds": report.builds, "verdicts": verdicts,
            "before_mib": before, "peak_mib": status_mib("VmHWM"),
        })
    );
    Ok(true)
}
