//! Searches of a command, opened with their oracle and their journal.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use firstbad::{Error, Search as _, Status};
use firstbad_git::Repository;
use firstbad_journal::{Contents, Options, Session, Test};
use firstbad_oracle::{CommandOracle, TestRecord};
use firstbad_report::Exit;

use crate::args::{DriveArgs, FetchArgs, KeptBuildsArgs, MetricArgs, RepositoryArgs, SuiteArgs, TestArgs, TrustArgs};
use crate::drive::{End, Plan, drive};
use crate::driver_record::DriverRecord;
use crate::last_run::Journals;
use crate::opened_journal::warn_of_losses;
use crate::signals::Signals;
use crate::view::{View, count};
use crate::{carry, failure, history, known, streams, test, trust};

/// The maximum time to wait for another process that writes to the journal.
const PATIENCE: Duration = Duration::from_secs(2);

/// The options of such a search.
pub(crate) struct Given<'a> {
    pub(crate) command: &'static str,
    /// The name of the search.
    pub(crate) algorithm: &'static str,
    pub(crate) repository: &'a RepositoryArgs,
    pub(crate) fetch: FetchArgs,
    /// Whether the command line describes a search. Otherwise, a journal does.
    pub(crate) is_described: bool,
    pub(crate) test: &'a TestArgs,
    pub(crate) oracle: OracleArgs<'a>,
    pub(crate) drive: &'a DriveArgs,
    /// The file of `--store`.
    pub(crate) store: Option<&'a Path>,
    pub(crate) trust: TrustArgs,
    /// An example with a test, for messages.
    pub(crate) example: &'static str,
}

/// The options of an oracle, besides those of the test.
#[derive(Clone, Copy)]
pub(crate) enum OracleArgs<'a> {
    Command,
    Suite(&'a SuiteArgs),
    Measure(&'a MetricArgs, &'a KeptBuildsArgs),
}

impl OracleArgs<'_> {
    /// Adds the options to a test. Missing options come from the test.
    fn over(self, test: TestRecord) -> TestRecord {
        match self {
            OracleArgs::Command => TestRecord { suite: None, measure: None, ..test },
            OracleArgs::Suite(args) => {
                let suite = args.over(test.suite.clone().unwrap_or_default());
                TestRecord { suite: Some(suite), measure: None, ..test }
            }
            OracleArgs::Measure(args, kept) => {
                let measure = args.over(kept.keep_builds, test.measure.clone().unwrap_or_default());
                TestRecord { suite: None, measure: Some(measure), ..test }
            }
        }
    }
}

/// An oracle of a search in a repository.
pub(crate) trait Oracle: Sized + Send + Sync + 'static {
    /// Creates the oracle of a test. `example` is a command line for the error of a missing command.
    fn new(repository: &Repository, test: &TestRecord, output_dir: Option<&Path>, example: &str)
    -> Result<Self, Error>;

    /// Returns the oracle of the command.
    fn command(&self) -> &CommandOracle;
}

impl Oracle for CommandOracle {
    fn new(
        repository: &Repository,
        test: &TestRecord,
        output_dir: Option<&Path>,
        example: &str,
    ) -> Result<Self, Error> {
        test::oracle(repository, test, output_dir, example)
    }

    fn command(&self) -> &CommandOracle {
        self
    }
}

/// A search with its test.
pub(crate) struct OpenedSearch<O = CommandOracle> {
    pub(crate) session: Session,
    pub(crate) repository: Repository,
    pub(crate) oracle: Arc<O>,
    pub(crate) test: TestRecord,
    pub(crate) driver: DriverRecord,
    command: &'static str,
    began: Instant,
}

/// Returns the error for a journal to resume that does not exist.
fn missing(path: &Path, example: &str) -> Error {
    let message = format!("it does not exist\nhelp: to start a search, name the revisions, such as: {example}");
    Error::Journal { path: path.display().to_string(), message }
}

impl<O: Oracle> OpenedSearch<O> {
    /// Opens the search of the command line, which `fresh` creates, or of a journal. `digest` identifies the items.
    pub(crate) fn open(
        given: &Given<'_>,
        fresh: impl FnOnce(&Repository, &TestRecord, &Arc<O>) -> Result<Session, Error>,
        digest: impl FnOnce(&Session) -> Result<Option<String>, Error>,
    ) -> Result<Self, Error> {
        let began = Instant::now();
        let Given { drive, .. } = *given;
        let output_dir = given.test.output_dir.as_deref();
        let mut driver = DriverRecord::new(drive.jobs, given.store, output_dir, given.fetch)?;
        let mut record = given.oracle.over(test::record(given.test, TestRecord::default())?);
        let found = begun(given)?;
        if let Some((path, contents)) = &found {
            let is_given = !given.test.command.is_empty();
            let (theirs, settings) = trust::followed(path, &contents.header, is_given, given.trust.trust_journal)?;
            let is_whole = is_given && !theirs.command.is_empty();
            let before = if is_whole { TestRecord::default() } else { theirs };
            record = given.oracle.over(test::record(given.test, before)?);
            driver = driver.over(settings);
        }
        let of_journal = match &found {
            Some((path, contents)) if !given.is_described => {
                let (repository, world) = history::world(path, contents, given.repository.named())?;
                let repository = repository.map_or_else(|| Repository::open(given.repository.folder()), Ok)?;
                Some((repository.fetching(driver.fetch), Session::new(contents.header.search(world)?)))
            }
            None if !given.is_described => match drive.journal.as_deref() {
                Some(path) => return Err(missing(path, given.example)),
                None => None,
            },
            _ => None,
        };
        let (repository, session) = match of_journal {
            Some((repository, session)) => (repository, Some(session)),
            None => (given.fetch.open(given.repository.folder())?, None),
        };
        carry::carry(given.test, &mut record, &repository)?.into_iter().for_each(streams::note);
        let oracle = Arc::new(O::new(&repository, &record, driver.output_dir.as_deref(), given.example)?);
        test::say(oracle.command(), &mut |note| streams::note(note));
        let mut session = session.map_or_else(|| fresh(&repository, &record, &oracle), Ok)?;
        let (test, digest) = (Test::Command(record.value()?), digest(&session)?);
        let is_optional = drive.journal.is_none();
        let options = Options { wait: PATIENCE, test, is_optional, driver: driver.value()?, digest };
        attach(&mut session, given, &repository, &options)?;
        if let Some(file) = &drive.import {
            session.assume(&known::read(file)?)?;
        }
        session.set_budget(drive.budget.of_runs())?;
        Ok(OpenedSearch { session, repository, oracle, test: record, driver, command: given.command, began })
    }

    /// Ends the tests at once if a second signal arrives.
    pub(crate) fn obey(&self, signals: &Signals) {
        let last = Arc::clone(&self.oracle);
        signals.before_exit(move || last.command().kill());
    }

    /// Listens to signals. A second signal ends the tests at once.
    pub(crate) fn signals(&self) -> Result<Signals, Error> {
        let signals = Signals::listen()?;
        self.obey(&signals);
        Ok(signals)
    }

    /// Returns the number of parallel tests.
    pub(crate) fn jobs(&self) -> usize {
        self.driver.jobs.unwrap_or(1)
    }

    pub(crate) fn deadline(&self, args: &DriveArgs) -> Option<Instant> {
        args.budget.deadline(self.began)
    }

    /// Runs the search, and prints a note first.
    pub(crate) fn drive(&mut self, plan: &Plan<'_>, quiet: bool, note: Option<String>) -> Result<End, Error> {
        let mut view = View::new(quiet, self.test.command.join(" "), Some(&self.repository));
        note.iter().for_each(|note| view.note(note));
        let ended = drive(&mut self.session, plan, &mut view);
        view.close();
        ended
    }

    /// Returns the exit code, which is `done` at the end of the search, and prints how to resume.
    pub(crate) fn exit(&self, ended: Result<End, Error>, drive: &DriveArgs, done: Exit) -> Exit {
        let status = self.session.status();
        let goes_on = matches!(status, Status::Running | Status::Budget | Status::Stopped);
        if goes_on && self.session.journal_is_there() {
            let how =
                drive.journal.as_ref().map_or("--resume".to_owned(), |path| format!("--journal {}", path.display()));
            streams::note(format_args!("to resume: firstbad {} {how}", self.command));
        }
        match ended {
            Ok(End::Done) => done,
            Ok(End::Signal(signal)) => Exit::Signal(signal),
            Err(error) => {
                failure::say(&error);
                Exit::of(&error)
            }
        }
    }
}

/// Saves the search in the journal of `--journal` or in the cache.
fn attach(session: &mut Session, given: &Given<'_>, repository: &Repository, options: &Options) -> Result<(), Error> {
    let drive = given.drive;
    match &drive.journal {
        Some(path) => {
            let opening = session.attach(path, options)?;
            Journals::of(repository)?.remember(given.command, path);
            warn_of_losses(path, &opening);
            if opening.resumed {
                let runs = count(session.runs(), "run");
                streams::note(format_args!("resuming {} after {runs}", path.display()));
            }
        }
        None => {
            let journals = Journals::of(repository)?;
            let path = journals.place("");
            match session.attach(&path, options) {
                Ok(_) => journals.remember(given.command, &path),
                Err(error) => streams::note(format_args!("the search is not saved: {}", failure::words(&error))),
            }
        }
    }
    Ok(())
}

/// Returns the journal to resume, if it exists.
fn begun(given: &Given<'_>) -> Result<Option<(PathBuf, Contents)>, Error> {
    let is_there = |path: &&PathBuf| std::fs::metadata(path).is_ok_and(|found| found.len() > 0);
    let Some(path) = given.drive.journal.as_ref().filter(is_there) else { return Ok(None) };
    let contents = firstbad_journal::read(path)?;
    let algorithm = &contents.header.algorithm;
    if algorithm != given.algorithm {
        let message = format!("it is not a journal of firstbad {}, but of {algorithm:?}", given.command);
        return Err(Error::Journal { path: path.display().to_string(), message });
    }
    Ok(Some((path.clone(), contents)))
}
