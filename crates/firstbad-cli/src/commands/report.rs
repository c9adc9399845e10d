//! `firstbad report`.

use std::path::Path;

use firstbad::{Error, Report};
use firstbad_report::{Exit, Summary, change_svg};

use crate::answer;
use crate::args::JournalArgs;
use crate::folders;
use crate::opened_journal::OpenedJournal;

/// Prints the report of a journal.
pub(super) fn run(args: &JournalArgs) -> Result<Exit, Error> {
    let (at, _) = OpenedJournal::to_read(&args.at, args.output.quiet)?;
    let repository = at.repository.as_ref();
    let mut summary = answer::kept_in(answer::summary(&at.session, repository)?, &at.path, repository);
    summary.mention = args.notify.mention;
    summary.shows_steps = args.details;
    if let Some(file) = &args.plot {
        plot(&summary, file)?;
    }
    match args.bad_results.as_deref() {
        Some(tonight) => answer::print_verdicts(&summary, &args.output, tonight)?,
        None => answer::print(&summary, &args.output, &at.session)?,
    }
    Ok(summary.exit())
}

/// Writes a plot of a change in numbers.
///
/// # Errors
/// [`Error::InvalidArgument`] for another search, and [`Error::Io`] if the file cannot be written.
fn plot(summary: &Summary, file: &Path) -> Result<(), Error> {
    let Report::Change(report) = &summary.report else {
        return Err(Error::invalid("--plot", file.display(), "no plot: only a search with --metric has one"));
    };
    let Some(name) = file.file_name() else {
        return Err(Error::invalid("--plot", file.display(), "the path of a file"));
    };
    let folder = file.parent().unwrap_or_else(|| Path::new(""));
    folders::write(folder, [(name.to_string_lossy().into_owned(), change_svg(report))])?;
    Ok(())
}
