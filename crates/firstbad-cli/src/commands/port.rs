//! `firstbad port`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use firstbad::{Content, Error, Observation, PortedPatch, Probe, Read, Report, Request, Search as _, Status};
use firstbad_git::{Repository, Trial, Variants};
use firstbad_journal::Session;
use firstbad_oracle::{CommandOptions, CommandOracle, PresetChoice, TestRecord};
use firstbad_report::porting::{self, Figure};
use firstbad_report::{Exit, Summary};
use serde_json::{Map, Value, json};

use crate::args::PortArgs;
use crate::drive::{Job, Plan};
use crate::opened_search::{Given, OpenedSearch, OracleArgs};
use crate::shared::SharedTest;
use crate::signals::Signals;
use crate::{answer, failure, folders, not_reproduced, shared, streams, test};

const EXAMPLE: &str = "firstbad port --start main --build make -- ./test";

/// Finds a passing version and ports its fix.
pub(crate) fn run(args: &PortArgs) -> Result<Exit, Error> {
    args.print.without_bisect_log("firstbad port")?;
    for (option, folder) in [("--patches", &args.patches), ("--figures", &args.figures)] {
        if let Some(folder) = folder.as_ref().filter(|folder| folder.exists() && !folder.is_dir()) {
            return Err(Error::invalid(option, folder.display(), "a folder, or a new path"));
        }
    }
    let mut port = Port::open(args)?;
    let signals = port.search.signals()?;
    let note = port.share()?;
    let (host, oracle) = (&port.host, Arc::clone(&port.search.oracle));
    let test = |probe: &Job, keep_going: &mut dyn FnMut() -> bool| host.test(&oracle, probe, keep_going);
    let reader = |read: &Read| host.read(read);
    let (jobs, deadline) = (port.search.jobs(), port.search.deadline(&args.drive));
    let plan = Plan { reader: Some(&reader), ..Plan::new(&test, jobs, deadline, &signals) };
    let ended = port.search.drive(&plan, args.print.quiet, note);
    if let Some(trouble) = host.variants.cache_trouble() {
        streams::note(shared::no_more(&trouble));
    }
    // The next run removes what cannot be removed now.
    [oracle.close().err(), host.variants.close().err()].into_iter().flatten().for_each(streams::note);
    finish(args, &port, &signals)?;
    Ok(port.search.exit(ended, &args.drive, Exit::from(port.search.session.status())))
}

/// Prints the report, and writes the patches and figures.
fn finish(args: &PortArgs, port: &Port, signals: &Signals) -> Result<(), Error> {
    let (session, repository) = (&port.search.session, Some(&port.search.repository));
    let mut report = answer::report(session, repository)?;
    if let Report::Port(report) = &mut report {
        if let Some(folder) = &args.patches {
            folders::write(
                folder,
                report.patches().into_iter().map(|(name, _, patch)| (format!("{name}.patch"), patch.content())),
            )?;
        }
        if let Some(folder) = &args.figures {
            let figures = Figure::ALL.map(|figure| (format!("{}.svg", figure.as_str()), porting::svg(report, figure)));
            folders::write(folder, figures.iter().map(|(name, svg)| (name.clone(), svg.as_bytes())))?;
        }
        match args.also.as_ref().zip(report.forward.as_ref()).map(|(line, fix)| port.also(line, fix, signals)) {
            Some(Ok((before, after))) => **report = (**report).clone().with_also(before, after),
            // The report is complete without this check.
            Some(Err(error)) => streams::note(format_args!("--also failed: {}", failure::words(&error))),
            None => {}
        }
    }
    let mut summary = Summary::of(report, answer::known(session, repository)?)?;
    summary.patches = args.patches.as_ref().map(|folder| folder.display().to_string());
    summary.shows_steps = args.details;
    if matches!(summary.status(), Status::NotReproduced | Status::Untestable) {
        not_reproduced::show_start(&summary.asked);
    }
    answer::print(&summary, &args.print, session)
}

struct Port {
    search: OpenedSearch,
    host: Host,
}

/// Reads contents and runs tests for the search.
struct Host {
    variants: Variants,
    /// The contents by the numbers of their reads.
    universes: Mutex<BTreeMap<u64, (Request, Content)>>,
}

impl Port {
    /// Opens the search of the command line or of a journal.
    fn open(args: &PortArgs) -> Result<Port, Error> {
        let given = Given {
            command: "port",
            algorithm: "port",
            repository: &args.repository,
            fetch: args.fetch,
            is_described: args.walk.start.is_some(),
            test: &args.test,
            oracle: OracleArgs::Command,
            drive: &args.drive,
            store: args.share.store.as_deref(),
            trust: args.share.trust,
            example: EXAMPLE,
        };
        let search = OpenedSearch::open(&given, |repository, record, _| fresh(args, repository, record), |_| Ok(None))?;
        let host = Host::new(&search.repository, &search.session)?;
        Ok(Port { search, host })
    }

    /// Shares outcomes through the store. Returns a note if that fails.
    fn share(&self) -> Result<Option<String>, Error> {
        let Some(store) = &self.search.driver.store else { return Ok(None) };
        let shared = SharedTest { store, test: &self.search.test };
        shared.by_trees(|cache| self.host.variants.share(cache), &self.search.session)
    }

    /// Runs another shell command at the forward revision, without and with the fix.
    fn also(&self, line: &str, fix: &PortedPatch, signals: &Signals) -> Result<(Observation, Observation), Error> {
        let mut record = self.search.test.clone();
        record.command = vec!["sh".to_owned(), "-c".to_owned(), line.to_owned()];
        record.options = CommandOptions {
            preset: PresetChoice::Off,
            fail_pattern: None,
            pass_pattern: None,
            control: None,
            ..record.options
        };
        let oracle = test::oracle(&self.search.repository, &record, self.search.driver.output_dir.as_deref(), EXAMPLE)?;
        let revision = fix.on.revision.as_deref().unwrap_or_default();
        let mut keep_going = || signals.caught().is_none();
        let before = oracle.run_with_signature(revision, None, &mut keep_going)?;
        Ok((before, oracle.run_with_signature(revision, Some(fix.content()), &mut keep_going)?))
    }
}

/// Creates the search of the command line.
fn fresh(args: &PortArgs, repository: &Repository, record: &TestRecord) -> Result<Session, Error> {
    let mut options: Map<String, Value> = args.walk.configuration();
    options.insert("controlled".to_owned(), json!(record.options.control.is_some()));
    Ok(Session::new(firstbad_git::porter(repository, &Value::Object(options))?))
}

impl Host {
    fn new(repository: &Repository, session: &Session) -> Result<Host, Error> {
        let inspect = session.inspect();
        let variants = Variants::of_search(repository, &inspect.configuration()?, &inspect.events(0));
        let variants = variants?;
        let mut universes = BTreeMap::new();
        for id in 0.. {
            match session.inspect().universe(id) {
                Some(found) => universes.insert(id, found),
                None => break,
            };
        }
        Ok(Host { variants, universes: Mutex::new(universes) })
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

    fn test(
        &self,
        oracle: &CommandOracle,
        probe: &Probe,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        let carried = match self.variants.trial(&probe.target, &|id| self.universe(id))? {
            Trial::Answered(seen) => return Ok(*seen),
            Trial::Run(carried) => carried,
        };
        let patch = Some(carried.patch.as_slice()).filter(|patch| !patch.is_empty());
        let seen = oracle.run_with_signature(probe.revision(), patch, keep_going)?;
        Ok(self.variants.seen(&probe.target, &carried, seen, None))
    }
}
