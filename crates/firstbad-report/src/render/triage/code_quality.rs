//! A triage as entries of GitLab's Code Quality.

use firstbad::{Error, TestVerdict, TriageReport, Verdict, capital};

use super::annotations::file;
use crate::render::code_quality::{Entry, written};
use crate::style::{Plain, Style as _};
use crate::summary::Summary;
use crate::triage::told::{Host, TriageWriter};

/// Renders one entry for each culprit, for each test that one of several commits broke, and for each flaky test. Without any, the
/// result is the only entry.
///
/// # Errors
/// [`Error::Internal`] if the entries have no JSON form.
pub(in crate::render) fn render(summary: &Summary, report: &TriageReport) -> Result<String, Error> {
    let writer = TriageWriter::new(report, Host::of(summary), &Plain);
    let told = writer.told();
    let place = |id: Option<&str>| id.and_then(file).map_or_else(|| ".".to_owned(), |file| Plain.code(file));
    let mut entries: Vec<Entry> = Vec::new();
    for found in &told.culprits {
        let place = place(found.of.tests.first().map(String::as_str));
        let description = format!("{} broke {}", found.title, found.count);
        entries.push(Entry::new(description, &found.of.fingerprint, "critical", place));
    }
    let test = |test: &TestVerdict, what: &str, severity| {
        let detail = Some(writer.note(test)).filter(|note| !note.is_empty());
        let detail = detail.map_or(String::new(), |note| format!(" ({note})"));
        let description = format!("{what}: {}{detail}", writer.test(&test.id));
        Entry::new(description, &format!("{}:{}", test.verdict.as_str(), test.id), severity, place(Some(&test.id)))
    };
    for one in &writer.report.tests {
        entries.extend(match one.verdict {
            Verdict::BrokenIn => Some(test(one, "Broken by one of several commits", "major")),
            Verdict::Flaky => Some(test(one, "Flaky test", "minor")),
            _ => None,
        });
    }
    if entries.is_empty() {
        let headline = capital(&told.headline);
        entries.push(Entry::new(headline.clone(), &headline, "info", ".".to_owned()));
    }
    written(&entries)
}
