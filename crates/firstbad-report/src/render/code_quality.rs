//! An answer as a report of GitLab's Code Quality, which shows its entries in merge requests.

use firstbad::digest::sha256_hex;
use firstbad::{Error, Status};
use serde::Serialize;

use super::story::StoryWriter;
use super::style::{Plain, Style as _};
use super::text::capital;
use crate::summary::Summary;

/// One entry.
#[derive(Serialize)]
struct Entry {
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

/// One entry for each finding; with the cause known, one for each place of it. An entry has to have a place: where none is
/// known it is the first line of the top folder.
pub(super) fn render(summary: &Summary) -> Result<String, Error> {
    let severity = match summary.status {
        Status::Found if summary.sliced.is_some() => "info",
        Status::Found => "critical",
        Status::Ambiguous => "major",
        Status::Running => "info",
        _ => "minor",
    };
    let mut entries = Vec::new();
    for (place, story) in (StoryWriter { summary, style: &Plain }).stories().iter().enumerate() {
        let description = capital(&story.headline);
        let point = summary.points.get(place);
        let finding = point.and_then(|point| point.fingerprint.clone());
        let finding = finding.unwrap_or_else(|| sha256_hex(description.as_bytes()));
        let cause = point.and_then(|point| point.cause.as_ref());
        let mut places: Vec<(String, usize)> = cause
            .iter()
            .flat_map(|cause| &cause.places)
            .map(|at| (Plain.code(&at.file), at.line.unwrap_or(1)))
            .collect();
        if places.is_empty() {
            places.push((".".to_owned(), 1));
        }
        entries.extend(places.into_iter().map(|(path, begin)| Entry {
            description: description.clone(),
            check_name: "firstbad",
            fingerprint: sha256_hex(format!("{finding}:{path}:{begin}").as_bytes()),
            severity,
            location: Location { path, lines: Lines { begin } },
        }));
    }
    let text = serde_json::to_string_pretty(&entries).map_err(|error| Error::internal("annotations", &error))?;
    Ok(text + "\n")
}
