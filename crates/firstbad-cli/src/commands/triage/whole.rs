//! Runs the whole suite once at each endpoint, if no report says which tests are red.

use std::path::PathBuf;

use firstbad::digest::sha256_hex;
use firstbad::{Error, Observation, Stage, json as core_json, short};
use firstbad_git::Repository;
use firstbad_oracle::{SuiteOracle, TestRecord};
use firstbad_platform::files;

use super::night::Night;
use crate::signals::Signals;
use crate::{streams, test};

/// The largest record of a run in bytes.
const LARGEST: u64 = 1 << 28;

/// The runs of the whole suite.
pub(super) struct Whole<'a> {
    pub(super) repository: &'a Repository,
    pub(super) record: &'a TestRecord,
    pub(super) oracle: &'a SuiteOracle,
    pub(super) signals: &'a Signals,
}

impl Whole<'_> {
    /// Runs the suite at the bad revision and, if the last results are unknown, at the good revision.
    pub(super) fn run(&self, night: &mut Night, good: &str, bad: &str, is_last_unknown: bool) -> Result<(), Error> {
        let at_bad = self.at(bad, "bad")?;
        if is_last_unknown && good != bad {
            night.last = self.at(good, "good")?.results;
        }
        if at_bad.stage.is_some_and(|stage| stage < Stage::Test) {
            // The search finds the commit that broke the build. Every test waits for it.
            night.tests = night.last.keys().cloned().collect();
        } else {
            night.tonight = at_bad.results;
            night.choose();
        }
        Ok(())
    }

    /// Runs the suite at an endpoint. A run before an interruption counts.
    fn at(&self, revision: &str, what: &str) -> Result<Observation, Error> {
        let place = place(self.repository, self.record, revision);
        if let Some(seen) = place.as_ref().and_then(|place| kept(place)) {
            streams::note(format_args!("using the results of the interrupted run at the {what} revision"));
            return Ok(seen);
        }
        streams::note(format_args!(
            "running the whole suite at the {what} revision {}, because there is no report of it",
            short(revision)
        ));
        let seen = self.oracle.run_until(revision, None, &mut || self.signals.caught().is_none())?;
        test::say(self.oracle.command(), &mut |note| streams::note(note));
        if let (Some(place), Ok(text)) = (place, serde_json::to_vec(&seen)) {
            // Without the file, an interrupted run is lost, and nothing else.
            let _ = files::write_at_once(&place, &text);
        }
        streams::note(seen.note.as_deref().unwrap_or_default());
        Ok(seen)
    }

    /// Removes the kept runs, because a journal has their results now.
    pub(super) fn forget(repository: &Repository, record: &TestRecord) {
        let Some(prefix) = prefix(record) else { return };
        let Ok(folder) = repository.cache_folder(KIND) else { return };
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(&prefix) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

const KIND: &str = "suites";

/// Returns the start of the names of a test's files.
fn prefix(record: &TestRecord) -> Option<String> {
    Some(sha256_hex(test::words(record).ok()?.as_bytes())[..16].to_owned())
}

fn place(repository: &Repository, record: &TestRecord, revision: &str) -> Option<PathBuf> {
    let name = format!("{}-{revision}.json", prefix(record)?);
    Some(repository.cache_folder(KIND).ok()?.join(name))
}

fn kept(place: &std::path::Path) -> Option<Observation> {
    let bytes = files::open_regular(place).and_then(|file| files::read_file(file, LARGEST)).ok()?;
    core_json::read(std::str::from_utf8(&bytes).ok()?).ok()
}
