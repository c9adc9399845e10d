//! A change in numbers as entries of GitLab's Code Quality.

use firstbad::{ChangeReport, Error, Find, Status};

use crate::change::told::{ChangeWriter, Part, Told};
use crate::render::code_quality::{Entry, written};
use crate::style::Plain;
use crate::summary::Summary;
use crate::triage::told::Host;

/// Renders one entry for each commit that changed a number, and for each metric without such a commit.
///
/// # Errors
/// [`Error::Internal`] if the entries have no JSON form.
pub(in crate::render) fn render(summary: &Summary, report: &ChangeReport) -> Result<String, Error> {
    let Told { parts, .. } = ChangeWriter::new(report, Host::of(summary), &Plain).told();
    let severity = match report.status {
        Status::Ambiguous | Status::Spread => "major",
        Status::Running | Status::NoChange => "info",
        _ => "minor",
    };
    let entry = |part: &Part| match part.found.is_empty() {
        true => {
            let headline = part.headline();
            vec![Entry::new(headline.clone(), &headline, severity, ".".to_owned())]
        }
        false => {
            let entries = part.found.iter().map(|found| {
                let metric = part.of.metric.as_deref().map_or(String::new(), |name| crate::style::plain(name) + ": ");
                let description = format!("{metric}{} changed the number: {}", found.title, found.numbers);
                let severity = if report.find == Find::Fix { "info" } else { "critical" };
                Entry::new(description, &found.of.fingerprint, severity, ".".to_owned())
            });
            entries.collect()
        }
    };
    written(&parts.iter().flat_map(entry).collect::<Vec<_>>())
}
