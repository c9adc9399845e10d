//! Reads known outcomes.

use std::path::Path;

use firstbad::search::answers;
use firstbad::{CommitGraph, Error, Observation, Target, json};
use firstbad_journal::Contents;
use serde_json::{Map, Value};

use crate::bisect_log::{self, BisectLog};
use crate::{failure, input};

/// Known outcomes in the order of their runs.
pub(crate) type Known = Vec<(Target, Observation)>;

/// JSON objects with their places.
pub(crate) type Entries = Vec<(String, Result<Map<String, Value>, Error>)>;

/// Reads outcomes from a journal, a report, a `git bisect log`, JSON, or JSON lines.
pub(crate) fn read(path: &Path) -> Result<Known, Error> {
    if let Some(seen) = of_reports(path)? {
        return Ok(seen);
    }
    let name = input::name(path);
    let text = input::text(path, input::read_text(path)?)?;
    if bisect_log::is_one(&text) {
        return Ok(BisectLog::parse(&name, &text)?.outcomes());
    }
    if let Some(seen) = of_journal(path, &text)? {
        return Ok(seen);
    }
    let mut known = Vec::new();
    for (source, entry) in entries(&name, &text) {
        let one = entry.and_then(|mut entry| Ok((target(&mut entry)?, observation(entry)?)));
        known.push(one.map_err(|error| Error::invalid("known", source, failure::words(&error)))?);
    }
    Ok(known)
}

/// Reads the results of a suite from `FILE@REVISION`, or returns `None` for another argument.
fn of_reports(path: &Path) -> Result<Option<Known>, Error> {
    let Some((file, revision)) = path.to_str().filter(|_| !path.exists()).and_then(|text| text.rsplit_once('@')) else {
        return Ok(None);
    };
    let report = firstbad_results::Reader::new().read_file(Path::new(file))?;
    Ok(Some(vec![(revision.into(), Observation::of_results(report.results()))]))
}

/// Removes outcomes of other histories and returns their number.
pub(crate) fn within(known: Known, graph: &CommitGraph) -> (Known, usize) {
    let before = known.len();
    let mut kept = known;
    kept.retain(|(target, _)| match &target.revision {
        Some(revision) => graph.resolve(revision, "known").is_ok(),
        None => true,
    });
    let left_out = before - kept.len();
    (kept, left_out)
}

/// Returns the entries of JSON or JSON lines with their places.
pub(crate) fn entries(name: &str, text: &str) -> Entries {
    let wrong = |found: &dyn std::fmt::Display| {
        Error::invalid("entry", found.to_string(), "a JSON object with a revision (or id) and an outcome")
    };
    let object = |value: Value| match value {
        Value::Object(fields) => Ok(fields),
        other => Err(wrong(&other)),
    };
    let numbered = |values: Vec<Value>| {
        let name = |place: usize| format!("{name}, entry {place}");
        values.into_iter().zip(1..).map(|(value, place)| (name(place), object(value))).collect()
    };
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(values)) => numbered(values),
        Ok(Value::Object(mut fields)) => {
            if let Some(Value::Array(seen)) = fields.remove("observations") {
                return numbered(seen);
            }
            if ["id", "revision", "changes"].iter().any(|name| fields.contains_key(*name)) {
                return vec![(format!("{name}, line 1"), Ok(fields))];
            }
            let by_revision = |(revision, said): (String, Value)| {
                let mut entry = match said {
                    Value::Object(entry) => entry,
                    outcome => Map::from_iter([("outcome".to_owned(), outcome)]),
                };
                entry.insert("revision".to_owned(), revision.clone().into());
                (format!("{name}, {revision:?}"), Ok(entry))
            };
            fields.into_iter().map(by_revision).collect()
        }
        _ => {
            let line = |(number, line): (usize, &str)| {
                // Concatenated files without a final newline have several entries in a line.
                let values = serde_json::Deserializer::from_str(line).into_iter::<Value>();
                let values = values.map(|value| value.map_err(|error| wrong(&format!("{line} ({error})"))));
                let named = |value: Result<Value, Error>| (format!("{name}, line {number}"), value.and_then(object));
                values.map(named).collect::<Vec<_>>()
            };
            (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).flat_map(line).collect()
        }
    }
}

/// Takes the target out of an entry.
pub(crate) fn target(entry: &mut Map<String, Value>) -> Result<Target, Error> {
    let fields: Map<String, Value> =
        ["revision", "changes"].iter().filter_map(|name| Some(((*name).to_owned(), entry.remove(*name)?))).collect();
    let shown = Value::Object(entry.clone()).to_string();
    json::read(&Value::Object(fields).to_string())
        .map_err(|error| Error::invalid("entry", shown, format!("an id, a revision, or changes ({error})")))
}

/// Returns the observation of an entry, which can come from a report.
pub(crate) fn observation(mut entry: Map<String, Value>) -> Result<Observation, Error> {
    entry.remove("probe");
    entry.remove("why");
    // A printed report has one entry for all runs of a revision.
    if let (Some(_), Some(Value::Object(counts))) = (entry.remove("runs"), entry.remove("outcomes")) {
        let count = |name: &str| counts.get(name).and_then(Value::as_u64).unwrap_or_default();
        if count("pass") + count("fail") > 1 {
            entry.extend([("passes", "pass"), ("fails", "fail")].map(|(to, from)| (to.to_owned(), count(from).into())));
        }
    }
    let has_number = ["metric", "metrics"].iter().any(|name| entry.contains_key(*name));
    if has_number && !entry.contains_key("outcome") {
        entry.insert("outcome".to_owned(), "pass".into());
    }
    let shown = Value::Object(entry).to_string();
    json::read(&shown).map_err(|error| {
        Error::invalid("outcome", shown, format!("pass, fail, or unresolved in \"outcome\" ({error})"))
    })
}

/// Returns the outcomes of a journal, or `None` if the text is not a journal.
fn of_journal(path: &Path, text: &str) -> Result<Option<Known>, Error> {
    let first = text.lines().next().and_then(|line| serde_json::from_str::<Value>(line).ok());
    // In a report, `journal` is a path.
    if first.is_none_or(|first| !first["journal"].is_number()) {
        return Ok(None);
    }
    Ok(Some(seen(&firstbad_journal::read(path)?)))
}

/// Returns the outcomes of a journal that were not undone.
pub(crate) fn seen(contents: &Contents) -> Known {
    let standing = answers(contents.records.iter().map(|record| &record.event));
    standing.into_iter().map(|answer| (answer.target.clone(), answer.observation.clone())).collect()
}
