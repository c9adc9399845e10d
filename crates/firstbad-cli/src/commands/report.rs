//! `firstbad report`: the answer, or the best one so far.

use firstbad::Error;

use crate::answer::Answer;
use crate::args::JournalArgs;
use crate::exit::Exit;
use crate::opened_journal::OpenedJournal;
use crate::render;

/// Looks at a journal, whoever may be writing to it, and prints its answer.
///
/// # Errors
/// Those of [`OpenedJournal::to_read`] and [`Answer::of`].
pub(super) fn run(args: &JournalArgs) -> Result<Exit, Error> {
    let (at, _) = OpenedJournal::to_read(args)?;
    let repository = at.repository.as_ref();
    let answer = Answer::of(&at.session, repository)?.kept_in(&args.journal, repository);
    render::print(&answer, &args.output)?;
    Ok(answer.exit())
}
