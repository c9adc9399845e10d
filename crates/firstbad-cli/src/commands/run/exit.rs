//! The exit code of a search.

use firstbad::Error;
use firstbad_journal::Session;
use firstbad_report::{Exit, Summary};

use crate::args::OutputArgs;
use crate::drive::End;
use crate::{failure, stop_record, streams};

/// Returns the exit code, and records in the summary why the search stopped.
pub(super) fn exit_of(
    ended: Result<End, Error>,
    session: &Session,
    summary: &mut Summary,
    output: &OutputArgs,
) -> Exit {
    match ended {
        Ok(End::Done) => summary.exit(),
        Ok(End::Signal(signal)) => {
            if summary.report.runs() == 0 {
                streams::note("interrupted before the first run finished, so there is nothing to resume");
            }
            Exit::Signal(signal)
        }
        Err(error) => {
            failure::say(&error);
            if let Some(journal) = session.journal() {
                stop_record::keep(journal, &error);
            }
            summary.resumes = summary.resumes.take().map(|_| stop_record::options(&error));
            // Readers of a file or a pipe do not see the error on the terminal.
            if output.is_formatted() {
                summary.report.warn(error.message());
            }
            Exit::of(&error)
        }
    }
}
