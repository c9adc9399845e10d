//! The answer of a session: what is said of it, and in which form.

use std::path::Path;

use firstbad::{Error, Report, Search as _, SlicedHistory, Spelling, World};
use firstbad_git::Repository;
use firstbad_journal::Session;
use firstbad_report::{Flakiness, Form, Known, Summary, card, cause_cards};

use crate::args::OutputArgs;
use crate::kept_cause::kept_cause;
use crate::last_run::Journals;
use crate::opened_journal::configuration_of;
use crate::{failure, stop_record, streams};

/// The answer as it stands. With a repository, commits are described.
///
/// # Errors
/// Those of [`Report::of`].
pub(crate) fn summary(session: &Session, repository: Option<&Repository>) -> Result<Summary, Error> {
    Summary::of(report(session, repository)?, known(session, repository)?)
}

/// The report of a session, with what its commits are called.
///
/// # Errors
/// Those of [`Report::of`].
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

/// What is known of a session beside its report.
///
/// # Errors
/// Those of a configuration that has no JSON form.
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
        ..Known::default()
    })
}

/// The history of a search for a slice, which is one among items.
fn history(session: &Session) -> Result<Option<SlicedHistory>, Error> {
    // With the ranking of all suspects a configuration may be long.
    if let World::History(_) = session.inspect().world() {
        return Ok(None);
    }
    Ok(SlicedHistory::from_options(&session.inspect().configuration()?).ok())
}

/// The same answer, of a search that is kept in this journal, with the causes that were found for its points so far.
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

/// Whether a journal is that of the last run in its repository, or here.
fn is_found(journal: &Path, repository: Option<&Repository>) -> bool {
    let journals = repository.map_or_else(|| Journals::at(Path::new(".")), Journals::of);
    journals.is_ok_and(|journals| journals.is_found(journal))
}

/// Prints an answer of this session to standard output, as the command line says.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn print(summary: &Summary, output: &OutputArgs, session: &Session) -> Result<(), Error> {
    if output.html {
        return streams::print(&card::page(&cards(summary, session)?));
    }
    let form = form(output);
    let text = summary.in_form(form)?;
    match form {
        Form::Text | Form::Markdown | Form::BisectLog => streams::print(&text),
        Form::Json | Form::Github | Form::Gitlab | Form::Rows => streams::data(&text),
    }
}

/// The card of an answer, and below it those of the causes that were found.
fn cards(summary: &Summary, session: &Session) -> Result<String, Error> {
    let mut report = summary.report.clone();
    report.spell(Spelling::CommandLine);
    let mut cards = vec![card::report(&report, Some(session))];
    cards.extend(cause_cards(summary)?);
    Ok(cards.join("\n"))
}

/// The form that was asked for.
fn form(output: &OutputArgs) -> Form {
    match output {
        OutputArgs { json: true, .. } => Form::Json,
        OutputArgs { markdown: true, .. } => Form::Markdown,
        OutputArgs { github_annotations: true, .. } => Form::Github,
        OutputArgs { gitlab_annotations: true, .. } => Form::Gitlab,
        OutputArgs { bisect_log: true, .. } => Form::BisectLog,
        _ => Form::Text,
    }
}
