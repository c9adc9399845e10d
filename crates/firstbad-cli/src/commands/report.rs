//! `firstbad report`.

use firstbad::Error;
use firstbad_report::Exit;

use crate::answer;
use crate::args::JournalArgs;
use crate::opened_journal::OpenedJournal;

/// Prints the report of a journal.
pub(super) fn run(args: &JournalArgs) -> Result<Exit, Error> {
    let (at, _) = OpenedJournal::to_read(&args.at, args.output.quiet)?;
    let repository = at.repository.as_ref();
    let mut summary = answer::kept_in(answer::summary(&at.session, repository)?, &at.path, repository);
    summary.mention = args.notify.mention;
    match args.bad_results.as_deref() {
        Some(tonight) => answer::print_verdicts(&summary, &args.output, tonight)?,
        None => answer::print(&summary, &args.output, &at.session)?,
    }
    Ok(summary.exit())
}
