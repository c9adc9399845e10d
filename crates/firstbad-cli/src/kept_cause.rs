//! The causes in the journals beside the journal of a search.

use std::path::{Path, PathBuf};

use firstbad::{Error, MinimizeReport, Patch, RegressionPoint, Report, Search as _};
use firstbad_git::Repository;
use firstbad_journal::Session;
use firstbad_report::Cause;

/// Returns the journal of a point's cause.
pub(crate) fn cause_journal(journal: &Path, point: &RegressionPoint) -> PathBuf {
    let mut name = journal.file_name().unwrap_or_default().to_os_string();
    name.push(point.journal_suffix());
    journal.with_file_name(name)
}

/// Returns the cause of a point so far, or `None` if it has no journal.
pub(crate) fn kept_cause(
    repository: &Repository,
    journal: &Path,
    point: &RegressionPoint,
) -> Result<Option<Cause>, Error> {
    let path = cause_journal(journal, point);
    let Some(good) = point.good.as_deref().filter(|_| path.exists()) else { return Ok(None) };
    let contents = firstbad_journal::read(&path)?;
    let world = contents.header.world(&path, None)?;
    let patch = Patch::parse(&repository.diff_to_reduce(good, &point.bad)?)?;
    let session = Session::view(&path, &contents, world)?;
    Cause::of(&cause_report(&session)?, &patch, point.find, Some(path.display().to_string())).map(Some)
}

/// Returns the report of a search for a cause.
pub(crate) fn cause_report(session: &Session) -> Result<MinimizeReport, Error> {
    match Report::of(session.inspect())? {
        Report::Minimize(report) => Ok(report),
        _ => Err(Error::invalid("cause", session.inspect().algorithm(), "a search that minimizes")),
    }
}
