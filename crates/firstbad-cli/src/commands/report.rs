//! `firstbad report`: the answer, or the best one so far.

use firstbad::Error;

use crate::args::JournalArgs;
use crate::exit::Exit;
use crate::opened_journal::OpenedJournal;
use crate::render;
use crate::summary::Summary;

/// Looks at a journal, whoever may be writing to it, and prints its answer.
///
/// # Errors
/// Those of [`OpenedJournal::to_read`] and [`Summary::of`].
pub(super) fn run(args: &JournalArgs) -> Result<Exit, Error> {
    let (at, _) = OpenedJournal::to_read(args)?;
    let repository = at.repository.as_ref();
    let summary = Summary::of(&at.session, repository)?.kept_in(&args.journal, repository);
    render::print(&summary, &args.output)?;
    Ok(summary.exit())
}
