//! `firstbad explain`: from the commits that a search has found to the lines that matter.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use firstbad::{Budget, Error, Patch, Search as _, Status};
use firstbad_git::{CommandOracle, Repository};
use firstbad_journal::Session;
use serde_json::{Map, Value, json};

use crate::answer::{Answer, Cause, Point};
use crate::args::ExplainArgs;
use crate::drive::{End, Plan, drive};
use crate::driver_record::DriverRecord;
use crate::exit::Exit;
use crate::reduction::PatchSearch;
use crate::signals::Signals;
use crate::view::View;
use crate::{history, render, streams, test};

/// What a search for causes needs.
pub(crate) struct Explaining<'a> {
    pub(crate) repository: &'a Repository,
    /// The test; of a search that is over.
    pub(crate) oracle: &'a CommandOracle,
    /// What the test is called.
    pub(crate) title: &'a str,
    /// How many tests to run side by side.
    pub(crate) jobs: usize,
    /// The journal of the search for the commits: those for the causes are kept beside it. `None` if they are not kept.
    pub(crate) journal: Option<&'a Path>,
    /// How many runs there may be, all causes together; `None` if as many as it takes.
    pub(crate) runs: Option<u64>,
    /// When the time is up.
    pub(crate) deadline: Option<Instant>,
    pub(crate) signals: &'a Signals,
    pub(crate) quiet: bool,
}

/// Explains what the search of a journal has found.
///
/// # Errors
/// What could not be meant or done before the first test. What goes wrong later is said, and the exit code is its.
pub(crate) fn run(args: &ExplainArgs) -> Result<Exit, Error> {
    let contents = firstbad_journal::read(&args.journal)?;
    let (repository, world) = history::world(&args.journal, &contents, args.repository.as_deref())?;
    let Some(repository) = repository else {
        let message = "it is not about a repository's history, so that there are no patches to go through".to_owned();
        return Err(Error::Journal { path: args.journal.display().to_string(), message });
    };
    let session = Session::view(&args.journal, &contents, world)?;
    let driver = DriverRecord::read(&args.journal, &contents.header.driver)?;
    let mut answer = Answer::of(&session, Some(&repository))?.kept_in(&args.journal, Some(&repository));
    if let Some(place) = args.point.filter(|&place| place >= answer.points.len()) {
        let expected = format!("a number below {}, one for each answer of the search", answer.points.len());
        return Err(Error::invalid("--point", place, expected));
    }
    if answer.points.is_empty() {
        streams::note("the search has found no commit, so that there is nothing to explain");
        render::print(&answer, &args.output)?;
        return Ok(answer.exit());
    }
    let test = if args.test.command.is_empty() { &driver.test } else { &args.test };
    if test.command.is_empty() {
        let expected = "the test after --, as in: firstbad explain run.jsonl -- make test";
        return Err(Error::InvalidArgument {
            argument: "the command".into(),
            value: "nothing (the journal does not know it)".into(),
            expected: expected.into(),
        });
    }
    let oracle = Arc::new(test::oracle(&repository, test)?);
    let signals = Signals::listen()?;
    let last = Arc::clone(&oracle);
    signals.before_exit(move || last.kill());
    let how = Explaining {
        repository: &repository,
        oracle: &oracle,
        title: &test.command.join(" "),
        jobs: args.jobs.or(driver.jobs).unwrap_or(1),
        journal: Some(&args.journal),
        runs: None,
        deadline: None,
        signals: &signals,
        quiet: args.output.quiet,
    };
    let ended = causes(&mut answer, &session, &how, args.point);
    if let Err(error) = oracle.close() {
        streams::note(&error);
    }
    render::print(&answer, &args.output)?;
    Ok(match ended {
        Ok(End::Signal(signal)) => Exit::Signal(signal),
        Ok(End::Done) => exit(&answer, args.point),
        Err(error) => {
            streams::note(&error);
            Exit::of(&error)
        }
    })
}

/// The exit after all causes that were asked for.
fn exit(answer: &Answer, only: Option<usize>) -> Exit {
    let points = answer.points.iter().enumerate().filter(|(place, _)| only.is_none_or(|only| only == *place));
    let statuses: Vec<Option<Status>> =
        points.map(|(_, point)| point.cause.as_ref().map(|cause| cause.status)).collect();
    let ended_early = statuses.iter().flatten().find(|status| matches!(status, Status::Budget | Status::Stopped));
    match ended_early {
        Some(&status) => Exit::from(status),
        None if statuses.contains(&Some(Status::Found)) => Exit::Done,
        None => Exit::NotReproduced,
    }
}

/// Looks for the part of each point's patch, from good to bad, that still fails, and puts it into the answer; for one
/// point alone where `only` says so. Searches that are kept beside the journal go on where they were.
///
/// # Errors
/// What a test ended with, or a journal; what was found before is in the answer.
pub(crate) fn causes(
    answer: &mut Answer,
    session: &Session,
    how: &Explaining<'_>,
    only: Option<usize>,
) -> Result<End, Error> {
    let options = options(&session.inspect().configuration()?);
    let mut left = how.runs;
    for place in 0..answer.points.len() {
        if only.is_some_and(|only| only != place) {
            continue;
        }
        let point = &mut answer.points[place];
        let search = match search(point, how.repository)? {
            Ok(search) => search,
            Err(why) => {
                point.no_cause = Some(why);
                continue;
            }
        };
        let journal = how.journal.map(|journal| Cause::journal(journal, &point.bad));
        let (cause, ended) = look_for(point, &search, options.clone(), journal, &mut left, how)?;
        point.cause = Some(cause);
        if ended? != End::Done {
            return ended_by(how.signals);
        }
    }
    Ok(End::Done)
}

fn ended_by(signals: &Signals) -> Result<End, Error> {
    Ok(signals.caught().map_or(End::Done, End::Signal))
}

/// What to search in, or why there is nothing.
fn search(point: &Point, repository: &Repository) -> Result<Result<PatchSearch, String>, Error> {
    if point.provisional {
        return Ok(Err("the search for the commit has not ended".to_owned()));
    }
    let Some(base) = point.good.clone() else {
        return Ok(Err("no ancestor was seen to pass".to_owned()));
    };
    let patch = Patch::parse(&repository.diff(&base, &point.bad)?)?;
    if patch.is_empty() {
        return Ok(Err(format!("{base} has the same files")));
    }
    Ok(Ok(PatchSearch { patch, base }))
}

/// The cause as far as it was found, and how the search for it ended.
fn look_for(
    point: &Point,
    search: &PatchSearch,
    options: Map<String, Value>,
    journal: Option<PathBuf>,
    left: &mut Option<u64>,
    how: &Explaining<'_>,
) -> Result<(Cause, Result<End, Error>), Error> {
    let mut session = search.session(options)?;
    if let Some(journal) = &journal {
        search.attach(&mut session, journal, Value::Null)?;
    }
    let before = session.queries();
    session.set_budget(Budget { runs: left.map(|left| left + before), cost: None })?;
    let mut view = View::new(how.quiet, how.title.to_owned(), Some(how.repository));
    let count = search.patch.len();
    view.note(&format!("which of the {count} changes from {} to {} does it?", brief(&search.base), brief(&point.bad)));
    let test =
        |probe: &firstbad::Probe, keep_going: &mut dyn FnMut() -> bool| search.test(how.oracle, probe, keep_going);
    let plan = Plan { test: &test, reader: None, jobs: how.jobs, deadline: how.deadline, signals: how.signals };
    let ended = drive(&mut session, &plan, &mut view);
    view.close();
    *left = left.map(|left| left.saturating_sub(session.queries() - before));
    let cause = Cause::of(&session, &search.patch, point.find, journal.as_deref())?;
    Ok((cause, ended))
}

fn brief(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}

/// What the search for the commit knew of the failure. It fails is what is kept here, so that a false pass there is a
/// flake here.
fn options(configuration: &Value) -> Map<String, Value> {
    let known = |name: &str| configuration.get(name).filter(|value| !value.is_null()).cloned();
    let mut options = Map::new();
    options.insert("keep".to_owned(), json!("fail"));
    options.extend(known("signature").map(|signature| ("signature".to_owned(), signature)));
    options.extend(known("seed").map(|seed| ("seed".to_owned(), seed)));
    if known("search") == Some(json!("bayes")) {
        options.insert("confidence".to_owned(), known("confidence").unwrap_or(json!(0.99)));
        options.insert("flake_rate".to_owned(), known("false_pass_rate").unwrap_or(json!(0.0)));
        options.insert("false_pass_rate".to_owned(), known("flake_rate").unwrap_or(json!("estimate")));
    }
    options
}
