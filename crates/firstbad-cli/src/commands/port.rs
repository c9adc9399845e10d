//! `firstbad port`: a version that passes behind broken ones, and the fix brought forward.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use firstbad::porting::Figure;
use firstbad::{Budget, Content, Error, Observation, PortedPatch, Probe, Read, Request, Search as _, Status};
use firstbad_git::{CommandOracle, Repository, TestRecord, Trial, Variants};
use firstbad_journal::{Options, Session, Test};
use serde_json::{Map, Value, json};

use crate::args::PortArgs;
use crate::drive::{End, Plan, drive};
use crate::driver_record::DriverRecord;
use crate::exit::Exit;
use crate::opened_journal::warn_of_torn;
use crate::shared::SharedTest;
use crate::signals::Signals;
use crate::summary::Summary;
use crate::view::View;
use crate::{history, known, render, shared, streams, test, trust};

/// How long to wait for another process that writes to the journal.
const PATIENCE: Duration = Duration::from_secs(2);

const EXAMPLE: &str = "firstbad port --start main --build make -- ./test";

/// Finds it.
///
/// # Errors
/// What could not be meant or done before the first test. What goes wrong later is said, and the exit code is its.
pub(crate) fn run(args: &PortArgs) -> Result<Exit, Error> {
    let began = Instant::now();
    for (option, folder) in [("--patches", &args.patches), ("--figures", &args.figures)] {
        if let Some(folder) = folder.as_ref().filter(|folder| folder.exists() && !folder.is_dir()) {
            return Err(Error::invalid(option, folder.display(), "a folder, or a name for a new one"));
        }
    }
    let mut port = Port::open(args)?;
    let signals = Signals::listen()?;
    let last = Arc::clone(&port.host.oracle);
    signals.before_exit(move || last.kill());
    if let Some(file) = &args.drive.known {
        port.session.assume(&known::read(file)?)?;
    }
    port.session.set_budget(Budget { runs: args.drive.budget_runs, cost: None })?;
    let mut view = View::new(args.print.quiet, port.test.command.join(" "), Some(&port.host.repository));
    port.share()?.iter().for_each(|note| view.note(note));
    let host = &port.host;
    let test = |probe: &Probe, keep_going: &mut dyn FnMut() -> bool| host.test(probe, keep_going);
    let reader = |read: &Read| host.read(read);
    let deadline = args.drive.budget_time.and_then(|time| began.checked_add(time));
    let plan =
        Plan { test: &test, reader: Some(&reader), jobs: port.driver.jobs.unwrap_or(1), deadline, signals: &signals };
    let ended = drive(&mut port.session, &plan, &mut view);
    view.close();
    drop(view);
    if let Some(trouble) = host.variants.cache_trouble() {
        streams::note(shared::no_more(&trouble));
    }
    host.close();
    let status = port.session.status();
    finish(args, &port, &signals)?;
    let goes_on = matches!(status, Status::Running | Status::Budget | Status::Stopped);
    if let Some(journal) = args.drive.journal.as_ref().filter(|_| goes_on && port.session.journal_is_there()) {
        streams::note(format_args!("to go on: firstbad port --journal {}", journal.display()));
    }
    Ok(match ended {
        Ok(End::Done) => Exit::from(status),
        Ok(End::Signal(signal)) => Exit::Signal(signal),
        Err(error) => {
            streams::note(&error);
            Exit::of(&error)
        }
    })
}

/// Prints the answer, and writes the patches and figures.
fn finish(args: &PortArgs, port: &Port, signals: &Signals) -> Result<(), Error> {
    let mut summary = Summary::of(&port.session, Some(&port.host.repository))?;
    if let Some(report) = &mut summary.ported {
        if let Some(folder) = &args.patches {
            write(
                folder,
                report.patches().into_iter().map(|(name, _, patch)| (format!("{name}.patch"), patch.content())),
            )?;
        }
        if let Some(folder) = &args.figures {
            let figures = Figure::ALL.map(|figure| (format!("{}.svg", figure.as_str()), report.to_svg(figure)));
            write(folder, figures.iter().map(|(name, svg)| (name.clone(), svg.as_bytes())))?;
        }
        match args.also.as_ref().zip(report.forward.as_ref()).map(|(line, fix)| port.also(line, fix, signals)) {
            Some(Ok((before, after))) => **report = (**report).clone().with_also(before, after),
            // The answer is there without it.
            Some(Err(error)) => streams::note(format_args!("what else the fix breaks is not known: {error}")),
            None => {}
        }
    }
    render::print(&summary, &args.print)
}

/// Writes files by their names to a folder, which is made.
fn write<'c>(folder: &Path, files: impl Iterator<Item = (String, &'c [u8])>) -> Result<(), Error> {
    let failed = |path: &Path, error: &std::io::Error| Error::Io {
        action: format!("writing {}", path.display()),
        message: error.to_string(),
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    for (name, content) in files {
        let path = folder.join(name);
        std::fs::write(&path, content).map_err(|error| failed(&path, &error))?;
    }
    Ok(())
}

/// A search, and what answers it.
struct Port {
    session: Session,
    host: Host,
    test: TestRecord,
    driver: DriverRecord,
}

/// What shows a search what it has to see, and tests for it.
struct Host {
    repository: Repository,
    oracle: Arc<CommandOracle>,
    variants: Variants,
    /// What was read, by the numbers of the reads.
    universes: Mutex<BTreeMap<u64, (Request, Content)>>,
}

impl Port {
    /// The search and the test, from the command line or from a journal that exists.
    fn open(args: &PortArgs) -> Result<Port, Error> {
        let output_dir = args.test.output_dir.as_deref();
        let driver = DriverRecord::new(args.drive.jobs, args.drive.store.as_deref(), output_dir)?;
        let found: Option<(PathBuf, _)> = match &args.drive.journal {
            Some(path) if std::fs::metadata(path).is_ok_and(|found| found.len() > 0) => {
                Some((path.clone(), firstbad_journal::read(path)?))
            }
            _ => None,
        };
        let is_new = args.walk.start.is_some() || found.is_none();
        let (mut record, mut driver) = (test::record(&args.test, TestRecord::default())?, driver);
        if let Some((path, contents)) = &found {
            let is_given = !args.test.command.is_empty();
            let (theirs, before) = trust::followed(path, &contents.header, is_given, args.trust_journal)?;
            let is_whole = is_given && !theirs.command.is_empty();
            record = test::record(&args.test, if is_whole { TestRecord::default() } else { theirs })?;
            driver = driver.over(before);
        }
        let (repository, session) = match &found {
            Some((path, contents)) if !is_new => {
                let elsewhere = Some(args.repository.as_path()).filter(|path| *path != Path::new("."));
                let (repository, world) = history::world(path, contents, elsewhere)?;
                let repository = repository.map_or_else(|| Repository::open(&args.repository), Ok)?;
                (repository, Session::new(contents.header.search(world)?))
            }
            _ => fresh(args, &record)?,
        };
        let mut session = session;
        if let Some(path) = &args.drive.journal {
            let test = Test::Command(record.value()?);
            let opening = session
                .attach(path, &Options { wait: PATIENCE, test, driver: driver.value()?, ..Options::default() })?;
            warn_of_torn(path, &opening);
            if opening.resumed {
                streams::note(format_args!("going on with {} after {} answers", path.display(), session.queries()));
            }
        }
        let oracle = Arc::new(test::oracle(&repository, &record, driver.output_dir.as_deref(), EXAMPLE)?);
        let host = Host::new(repository, oracle, &session)?;
        Ok(Port { session, host, test: record, driver })
    }

    /// Shares what is seen, if a store is named; a note if it cannot be.
    fn share(&self) -> Result<Option<String>, Error> {
        let Some(store) = &self.driver.store else { return Ok(None) };
        SharedTest { store, test: &self.test }.by_variants(&self.host.variants, &self.session)
    }

    /// What another shell command says of the revision that the fix was brought to, without the fix and with it. It is set up
    /// and built as the test is.
    fn also(&self, line: &str, fix: &PortedPatch, signals: &Signals) -> Result<(Observation, Observation), Error> {
        let record = TestRecord {
            command: vec!["sh".to_owned(), "-c".to_owned(), line.to_owned()],
            preset: None,
            signature: None,
            passed: None,
            control: None,
            ..self.test.clone()
        };
        let oracle = test::oracle(&self.host.repository, &record, self.driver.output_dir.as_deref(), EXAMPLE)?;
        let revision = fix.on.revision.as_deref().unwrap_or_default();
        let mut keep_going = || signals.caught().is_none();
        let before = oracle.run_with_signature(revision, None, &mut keep_going)?;
        Ok((before, oracle.run_with_signature(revision, Some(fix.content()), &mut keep_going)?))
    }
}

/// The search that the command line describes.
fn fresh(args: &PortArgs, record: &TestRecord) -> Result<(Repository, Session), Error> {
    let repository = Repository::open(&args.repository)?;
    let mut options: Map<String, Value> = args.walk.configuration();
    options.insert("controlled".to_owned(), json!(record.control.is_some()));
    let search = firstbad_git::porter(&repository, &Value::Object(options))?;
    Ok((repository, Session::new(search)))
}

impl Host {
    fn new(repository: Repository, oracle: Arc<CommandOracle>, session: &Session) -> Result<Host, Error> {
        let inspect = session.inspect();
        let variants = Variants::of_search(&repository, &inspect.configuration()?, &inspect.events(0))?;
        let mut universes = BTreeMap::new();
        for id in 0.. {
            match session.inspect().universe(id) {
                Some(found) => universes.insert(id, found),
                None => break,
            };
        }
        Ok(Host { repository, oracle, variants, universes: Mutex::new(universes) })
    }

    fn universe(&self, id: u64) -> Option<(Request, Content)> {
        self.universes.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    fn read(&self, read: &Read) -> Result<Vec<u8>, Error> {
        let bytes = self.variants.read(&read.request, &|id| self.universe(id))?;
        let found = (read.request.clone(), Content::new(&bytes)?);
        self.universes.lock().unwrap_or_else(PoisonError::into_inner).insert(read.id, found);
        Ok(bytes)
    }

    fn test(&self, probe: &Probe, keep_going: &mut dyn FnMut() -> bool) -> Result<Observation, Error> {
        let carried = match self.variants.trial(&probe.target, &|id| self.universe(id))? {
            Trial::Answered(seen) => return Ok(*seen),
            Trial::Run(carried) => carried,
        };
        let patch = Some(carried.patch.as_slice()).filter(|patch| !patch.is_empty());
        let seen = self.oracle.run_with_signature(probe.revision(), patch, keep_going)?;
        Ok(self.variants.seen(&probe.target, &carried, seen, None))
    }

    /// Removes what was made. What cannot be removed is for the next run.
    fn close(&self) {
        [self.oracle.close().err(), self.variants.close().err()].into_iter().flatten().for_each(streams::note);
    }
}
