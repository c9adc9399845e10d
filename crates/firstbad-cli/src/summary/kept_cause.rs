//! The search for a point's cause, in a journal of its own beside that of the search for the point.

use std::path::{Path, PathBuf};

use firstbad::{Error, Patch};
use firstbad_git::Repository;
use firstbad_journal::Session;

use super::cause::Cause;
use super::part::Point;

/// Where the search for the cause of a point is kept.
pub(crate) fn cause_journal(journal: &Path, point: &Point) -> PathBuf {
    let mut name = journal.file_name().unwrap_or_default().to_os_string();
    name.push(&point.journal_suffix);
    journal.with_file_name(name)
}

/// What was found so far about a point; `None` if no search for its cause is kept beside this journal.
///
/// # Errors
/// [`Error::Git`]; [`Error::Journal`] for a journal that cannot be read, or that is about something else.
pub(super) fn kept_cause(repository: &Repository, journal: &Path, point: &Point) -> Result<Option<Cause>, Error> {
    let path = cause_journal(journal, point);
    let Some(good) = point.good.as_deref().filter(|_| path.exists()) else { return Ok(None) };
    let contents = firstbad_journal::read(&path)?;
    let world = contents.header.world(&path, None)?;
    let patch = Patch::parse(&repository.diff(good, &point.bad)?)?;
    let session = Session::view(&path, &contents, world)?;
    Cause::of(&Cause::report(&session)?, &patch, point.find, Some(&path)).map(Some)
}
