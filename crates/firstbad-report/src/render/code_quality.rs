//! The result as a report of GitLab's Code Quality, which shows its entries in merge requests.

use firstbad::digest::sha256_hex;
use firstbad::{Error, Status, capital, printable_json};
use serde::Serialize;

use super::story::StoryWriter;
use crate::style::{Plain, Style as _};
use crate::summary::Summary;

/// One entry.
#[derive(Serialize)]
pub(super) struct Entry {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
}

impl Entry {
    /// Creates an entry about a finding, at the first line of a path.
    pub(super) fn new(description: String, finding: &str, severity: &'static str, path: String) -> Entry {
        Entry {
            description,
            check_name: "firstbad",
            fingerprint: sha256_hex(format!("{finding}:{path}").as_bytes()),
            severity,
            location: Location { path, lines: Lines { begin: 1 } },
        }
    }
}

/// Renders one entry for each finding, at the first place of its cause. An entry needs a place, so the default is the first line
/// of the top folder.
pub(super) fn render(summary: &Summary) -> Result<String, Error> {
    let severity = match summary.status() {
        Status::Found if summary.sliced().is_some() => "info",
        Status::Found => "critical",
        Status::Ambiguous => "major",
        Status::Running => "info",
        _ => "minor",
    };
    let mut entries = Vec::new();
    for (place, story) in (StoryWriter { summary, style: &Plain }).stories().iter().enumerate() {
        let description = capital(&story.headline);
        let point = summary.points().get(place);
        let finding = point.filter(|point| !summary.is_provisional(point)).map(|point| point.fingerprint.clone());
        let finding = finding.unwrap_or_else(|| sha256_hex(description.as_bytes()));
        let cause = summary.cause(place);
        let place = cause.and_then(|cause| cause.places.first());
        let (path, begin) = place.map_or((".".to_owned(), 1), |at| (Plain.code(&at.file), at.line.unwrap_or(1)));
        let on = story.details.iter().find(|(label, _)| *label == "on");
        let description = on.map_or(description.clone(), |(_, ends)| format!("{description} on {ends}"));
        let mut entry = Entry::new(description, &finding, severity, path);
        entry.location.lines.begin = begin;
        entries.push(entry);
    }
    written(&entries)
}

pub(super) fn written(entries: &[Entry]) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(entries).map_err(|error| Error::internal("annotations", &error))?;
    Ok(printable_json(&text) + "\n")
}
