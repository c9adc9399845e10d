//! The result of a session in the format of the command line.

use std::path::Path;
use std::time::{Duration, Instant};

use firstbad::{Error, Report, Search as _, SlicedHistory, Spelling, Status, TriageReport, World};
use firstbad_git::Repository;
use firstbad_journal::Session;
use firstbad_report::{Flakiness, Form, Known, Left, Summary, card, cause_cards, junit};

use crate::args::OutputArgs;
use crate::kept_cause::kept_cause;
use crate::last_run::Journals;
use crate::opened_journal::configuration_of;
use crate::{failure, input, stop_record, streams};

/// Returns the summary of a session.
pub(crate) fn summary(session: &Session, repository: Option<&Repository>) -> Result<Summary, Error> {
    Summary::of(report(session, repository)?, known(session, repository)?)
}

/// Returns the report of a session, with descriptions of its commits.
pub(crate) fn report(session: &Session, repository: Option<&Repository>) -> Result<Report, Error> {
    let mut report = Report::of(session.inspect())?;
    if let Some(repository) = repository {
        firstbad_git::describe(&mut report, repository, history(session)?.as_ref());
    }
    if let World::History(graph) = session.inspect().world() {
        firstbad_git::name_ends(&mut report, &graph);
    }
    Ok(report)
}

/// Returns the facts of a session that its report lacks.
pub(crate) fn known(session: &Session, repository: Option<&Repository>) -> Result<Known, Error> {
    let journal = session.journal().filter(|_| session.journal_is_there());
    Ok(Known {
        is_last_run: journal.is_some_and(|path| is_found(path, repository)),
        in_flight: session.in_flight(),
        journal: journal.map(|path| path.display().to_string()),
        resumes: session.header().is_some_and(|header| header.test.get("command").is_some()),
        at_command_line: true,
        spelling: Spelling::CommandLine,
        repository: repository.map(|repository| repository.path().display().to_string()),
        items: match session.inspect().world() {
            World::Items(items) => Some(items),
            World::History(_) => None,
        },
        history: history(session)?,
        flakiness: match session.inspect().world() {
            World::History(_) => Flakiness::of(&*configuration_of(session)?),
            World::Items(_) => Flakiness::default(),
        },
        left: left(session),
        ..Known::default()
    })
}

/// The maximum time for a forecast of the runs.
const FORECAST: Duration = Duration::from_millis(500);

/// Returns what is left of a search that has not finished.
fn left(session: &Session) -> Option<Left> {
    let is_open = matches!(session.status(), Status::Running | Status::Budget | Status::Stopped);
    let search = session.inspect();
    let suspects = search.suspects().filter(|_| is_open)?.count_ones(..);
    let until = Instant::now() + FORECAST;
    let forecast = search.forecast(1, &mut || Instant::now() < until).ok().flatten();
    let (likely, worst) = forecast.map(|forecast| (forecast.likely.runs, forecast.worst.runs)).unzip();
    (suspects > 0).then_some(Left { suspects, likely, worst, limit: None })
}

/// Returns the history of a slice search.
fn history(session: &Session) -> Result<Option<SlicedHistory>, Error> {
    // Building the configuration of a history can be slow, because it contains the ranking of the suspects.
    if let World::History(_) = session.inspect().world() {
        return Ok(None);
    }
    Ok(SlicedHistory::from_options(&session.inspect().configuration()?).ok())
}

/// Adds the journal, its stop record, and its causes to a summary.
pub(crate) fn kept_in(mut summary: Summary, journal: &Path, repository: Option<&Repository>) -> Summary {
    summary.journal = Some(journal.display().to_string());
    summary.is_last_run = is_found(journal, repository);
    stop_record::tell(&mut summary, journal);
    if let Some(repository) = repository {
        for place in 0..summary.points().len() {
            match kept_cause(repository, journal, &summary.points()[place]) {
                Ok(None) => {}
                Ok(cause) => summary.cause_mut(place).cause = cause,
                Err(error) => {
                    streams::note(format_args!("the cause that was found is left out: {}", failure::words(&error)))
                }
            }
        }
    }
    summary.weigh_causes();
    summary
}

/// Returns whether `--resume` finds this journal.
fn is_found(journal: &Path, repository: Option<&Repository>) -> bool {
    let journals = repository.map_or_else(|| Journals::at(Path::new(".")), Journals::of);
    journals.is_ok_and(|journals| journals.is_found(journal))
}

/// Prints a summary in the format of the command line.
pub(crate) fn print(summary: &Summary, output: &OutputArgs, session: &Session) -> Result<(), Error> {
    if output.is_junit() {
        return streams::data(&junit(triage_of(summary)?, None)?);
    }
    let Some(form) = output.form() else {
        return streams::print(&card::page(&cards(summary, session)?));
    };
    let text = summary.in_form(form)?;
    match form {
        Form::Text | Form::Markdown | Form::BisectLog => streams::print(&text),
        Form::Json | Form::Github | Form::Gitlab | Form::Rows => streams::data(&text),
    }
}

/// Prints tonight's test report with the verdicts of a triage.
///
/// # Errors
/// [`Error::InvalidArgument`] for another format or another search.
pub(crate) fn print_verdicts(summary: &Summary, output: &OutputArgs, tonight: &Path) -> Result<(), Error> {
    if !output.is_junit() {
        return Err(Error::invalid("--bad-results", tonight.display(), "--format junit as well"));
    }
    streams::data(&junit(triage_of(summary)?, Some(&input::read(tonight)?))?)
}

fn triage_of(summary: &Summary) -> Result<&TriageReport, Error> {
    let expected = "another format: only a triage has verdicts about tests";
    summary.triage().ok_or_else(|| Error::invalid("--format", "junit", expected))
}

/// Returns the HTML cards of a summary and its causes.
fn cards(summary: &Summary, session: &Session) -> Result<String, Error> {
    let mut report = summary.report.clone();
    report.spell(Spelling::CommandLine);
    let mut cards = vec![card::report(&report, Some(session))];
    cards.extend(cause_cards(summary)?);
    Ok(cards.join("\n"))
}
