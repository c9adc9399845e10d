//! `firstbad report`: the answer, or the best one so far.

use firstbad::Error;
use firstbad_report::Exit;

use crate::answer;
use crate::args::JournalArgs;
use crate::opened_journal::OpenedJournal;

/// Looks at a journal, whoever may be writing to it, and prints its answer.
///
/// # Errors
/// Those of [`OpenedJournal::to_read`] and [`Summary::of`].
pub(super) fn run(args: &JournalArgs) -> Result<Exit, Error> {
    let (at, _) = OpenedJournal::to_read(args)?;
    let repository = at.repository.as_ref();
    let summary = answer::kept_in(answer::summary(&at.session, repository)?, &at.path, repository);
    answer::print(&summary, &args.output, &at.session)?;
    Ok(summary.exit())
}
