//! Journals of searches.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use firstbad::{Error, json};
use firstbad_journal::{Options, Session, Test};
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::pace::Step;
use crate::repository::CommandOracle;
use crate::search::{Search, stands};
use crate::work::{SLICE, released};

fn command_of(oracle: &Bound<'_, CommandOracle>) -> PyResult<Test> {
    let value = oracle.get().record().value();
    value.map(Test::Command).or_raise(oracle.py())
}

/// Sets the command that answers a search's probes from now on. Fails if the journal belongs to another test.
#[pyfunction]
pub(crate) fn tested_by(search: &Bound<'_, Search>, oracle: &Bound<'_, CommandOracle>) -> PyResult<()> {
    let py = search.py();
    let test = command_of(oracle)?;
    search.get().step(py, Step::Note, move |session| session.tested_by(&test), stands)?;
    if let Some(seconds) = search.get().brief(py, |session| session.seconds_of_whole()) {
        oracle.get().inner().expect_seconds(seconds);
    }
    Ok(())
}

/// Adds a journal to a search that a command, a function, or neither answers. Returns the journal's path, the run's id, whether
/// the journal already existed, and the number of dropped bytes of an incomplete line.
#[pyfunction]
pub(crate) fn attach(
    search: &Bound<'_, Search>,
    path: PathBuf,
    digest: Option<String>,
    wait: f64,
    command: Option<&Bound<'_, CommandOracle>>,
    is_function: bool,
) -> PyResult<(PathBuf, String, bool, Option<String>)> {
    let py = search.py();
    let wait = Duration::try_from_secs_f64(wait)
        .map_err(|_| Error::invalid("wait", wait, "seconds, 0 or above"))
        .or_raise(py)?;
    let test = match command {
        Some(oracle) => command_of(oracle)?,
        None if is_function => Test::Function,
        None => Test::ByHand,
    };
    let deadline = Instant::now().checked_add(wait);
    let left = || deadline.map_or(SLICE, |deadline| deadline.saturating_duration_since(Instant::now()));
    loop {
        // Waits in slices, so that a signal ends the wait.
        let last = left().is_zero();
        let options =
            Options { wait: left().min(SLICE), digest: digest.clone(), test: test.clone(), ..Options::default() };
        let path = path.clone();
        let attach = move |session: &mut Session| match session.attach(&path, &options) {
            Ok(opening) => Ok(Some((session.journal().map(PathBuf::from).unwrap_or_default(), opening))),
            Err(Error::JournalLocked { .. }) if !last => Ok(None),
            Err(error) => Err(error),
        };
        if let Some((path, opening)) = search.get().step(py, Step::Disk, attach, |session, _| session.close())? {
            let recovered = opening.recovered();
            return Ok((path, opening.id, opening.resumed, recovered));
        }
    }
}

/// Releases the journal of a search, so other processes can write to it.
#[pyfunction]
pub(crate) fn detach(search: &Bound<'_, Search>) -> PyResult<()> {
    let close = |session: &mut Session| {
        session.close();
        Ok(())
    };
    search.get().step(search.py(), Step::Note, close, stands)
}

/// Returns the events of a journal with their times, as a JSON list.
#[pyfunction]
pub(crate) fn records(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let read = move || {
        let contents = firstbad_journal::read(&path)?;
        json::text(&contents.records)
    };
    released(py, read, drop)
}
