//! A triage as JUnit XML.

use std::collections::HashMap;

use firstbad::{Error, TestVerdict, TriageReport, Verdict, short};
use firstbad_results::{Format, Reader};

use crate::draw::escaped;

/// The name of the suite without a report of tonight.
const SUITE: &str = "firstbad triage";

/// Renders a triage as JUnit XML: the test cases have the properties `firstbad.verdict` and `firstbad.culprit` (a full commit id).
///
/// If `tonight` is a test report in JUnit XML, the result is that report with these properties. Test cases without a verdict stay as
/// they are. Otherwise the result has one test case for each verdict.
///
/// # Errors
/// The errors of [`Reader::read`], if `tonight` is not JUnit XML.
pub fn junit(report: &TriageReport, tonight: Option<&[u8]>) -> Result<String, Error> {
    match tonight {
        Some(tonight) => with_verdicts(report, tonight),
        None => Ok(suite(report)),
    }
}

/// Adds the verdicts to a report.
fn with_verdicts(report: &TriageReport, tonight: &[u8]) -> Result<String, Error> {
    let reader = Reader::new().format(Format::Junit);
    let read = reader.read(tonight)?;
    let ids: Vec<String> = report.tests.iter().map(|test| test.id.clone()).collect();
    let cases = report.tests.iter().zip(read.answers(&ids));
    let verdicts: HashMap<&str, &TestVerdict> = cases.filter_map(|(test, case)| Some((&case?.id[..], test))).collect();
    let of_test = |id: &str| verdicts.get(id).map(|test| properties(test)).unwrap_or_default();
    Ok(reader.with_properties(tonight, &of_test)?)
}

fn properties(test: &TestVerdict) -> Vec<(&'static str, String)> {
    let culprit = test.culprit.iter().map(|culprit| ("firstbad.culprit", culprit.clone()));
    std::iter::once(("firstbad.verdict", test.verdict.as_str().to_owned())).chain(culprit).collect()
}

/// Returns a report with one test case for each verdict.
fn suite(report: &TriageReport) -> String {
    let cases: String = report.tests.iter().map(case).collect();
    let of = |kind: Kind| report.tests.iter().filter(|test| Kind::of(test.verdict) == kind).count();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{SUITE}\" tests=\"{}\" failures=\"{}\" \
         errors=\"0\" skipped=\"{}\">\n{cases}</testsuite>\n</testsuites>\n",
        report.tests.len(),
        of(Kind::Failed),
        of(Kind::Skipped),
    )
}

/// The kind of result of a test case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Passed,
    Failed,
    /// Without a result.
    Skipped,
}

impl Kind {
    fn of(verdict: Verdict) -> Kind {
        match verdict {
            Verdict::Fixed => Kind::Passed,
            Verdict::Removed | Verdict::Quarantined | Verdict::Infra => Kind::Skipped,
            _ => Kind::Failed,
        }
    }
}

fn case(test: &TestVerdict) -> String {
    let properties: String = properties(test)
        .iter()
        .map(|(name, value)| format!("<property name=\"{name}\" value=\"{}\"/>", escaped(value)))
        .collect();
    let broken = test.culprit.as_ref().map(|culprit| format!("broken by {}", short(culprit)));
    let words: Vec<String> = test.note.iter().cloned().chain(broken).collect();
    let message = escaped(&if words.is_empty() { test.verdict.as_str().to_owned() } else { words.join(", ") });
    let result = match Kind::of(test.verdict) {
        Kind::Passed => String::new(),
        Kind::Skipped => format!("<skipped message=\"{message}\"/>"),
        Kind::Failed => {
            let signature = escaped(test.signature.as_deref().unwrap_or_default());
            format!("<failure type=\"{}\" message=\"{message}\">{signature}</failure>", test.verdict.as_str())
        }
    };
    format!("<testcase name=\"{}\"><properties>{properties}</properties>{result}</testcase>\n", escaped(&test.id))
}
