//! `firstbad triage`.

mod night;
mod revert;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use firstbad::{Budget, CommitGraph, Configuration, Error, Search as _, TriageConfig, json as core_json};
use firstbad_git::{GraphOptions, Repository};
use firstbad_journal::Session;
use firstbad_oracle::{SuiteOracle, TestRecord};
use firstbad_report::Exit;
use firstbad_results::Runner;
use serde_json::{Map, Value, json};

pub(super) use self::night::{Night, reported};
use crate::args::{NightArgs, TestArgs, TriageArgs};
use crate::drive::{End, Job, Plan};
use crate::opened_search::{Given, OpenedSearch, Oracle, OracleArgs};
use crate::signals::Signals;
use crate::{answer, streams, test};

const EXAMPLE: &str = "firstbad triage --good v1.4 -- pytest";

impl Oracle for SuiteOracle {
    fn new(
        repository: &Repository,
        record: &TestRecord,
        output_dir: Option<&Path>,
        example: &str,
    ) -> Result<Self, Error> {
        test::suite_oracle(repository, record, output_dir, example)
    }

    fn command(&self) -> &firstbad_oracle::CommandOracle {
        SuiteOracle::command(self)
    }
}

/// Finds the commits that broke the tests.
pub(crate) fn run(args: &TriageArgs) -> Result<Exit, Error> {
    args.output.without_bisect_log("firstbad triage")?;
    let signals = Signals::listen()?;
    let test = TestArgs { base: args.test.clone(), ..TestArgs::default() };
    let given = Given {
        command: "triage",
        algorithm: "triage",
        repository: &args.repository,
        fetch: args.fetch,
        is_described: args.good.is_some(),
        test: &test,
        oracle: OracleArgs::Suite(&args.suite),
        drive: &args.drive,
        store: None,
        trust: args.trust,
        example: EXAMPLE,
    };
    let mut search: OpenedSearch<SuiteOracle> =
        OpenedSearch::open(&given, |repository, _, oracle| fresh(args, repository, oracle), |_| Ok(None))?;
    search.obey(&signals);
    search.session.set_budget(Budget { builds: args.max_builds, ..args.drive.budget.of_runs() })?;
    let oracle = Arc::clone(&search.oracle);
    let run = |job: &Job, keep_going: &mut dyn FnMut() -> bool| {
        oracle.run_until(job.revision(), job.tests.as_deref(), keep_going)
    };
    let warnings = Mutex::new(Vec::new());
    let said = || test::late_warnings(oracle.command(), &warnings);
    let (jobs, deadline) = (search.jobs(), search.deadline(&args.drive));
    let plan = Plan { said: Some(&said), ..Plan::new(&run, jobs, deadline, &signals) };
    let mut ended = search.drive(&plan, args.output.quiet, None);
    let mut summary = answer::summary(&search.session, Some(&search.repository))?;
    if args.verify_revert && matches!(ended, Ok(End::Done)) {
        let verified = revert::verify(&mut summary, &search.repository, &oracle, &signals);
        ended = match signals.caught() {
            Some(signal) => Ok(End::Signal(signal)),
            None => verified.map(|()| End::Done),
        };
    }
    // The next run removes what cannot be removed now.
    oracle.command().close().err().iter().for_each(streams::note);
    let warnings = warnings.into_inner().unwrap_or_else(PoisonError::into_inner);
    warnings.into_iter().for_each(|warning| summary.report.warn(warning));
    summary.mention = args.notify.mention;
    match &args.night.bad_results[..] {
        [tonight] if args.output.is_junit() => answer::print_verdicts(&summary, &args.output, tonight)?,
        _ => answer::print(&summary, &args.output, &search.session)?,
    }
    Ok(search.exit(ended, &args.drive, summary.exit()))
}

/// Creates the search of the command line.
fn fresh(args: &TriageArgs, repository: &Repository, oracle: &SuiteOracle) -> Result<Session, Error> {
    let Some(good) = &args.good else {
        let expected = "no good revision\nhelp: name the revision of the last green run, such as --good v1.4";
        return Err(Error::invalid_value("--good", String::new(), expected));
    };
    let ends = ends(repository, good, args.bad.as_deref().unwrap_or("HEAD"))?;
    let night = Night::read(&args.night, repository, Some(oracle.runner()))?;
    let mut options = Map::new();
    options.insert("keep_builds".to_owned(), json!(oracle.keep_builds()));
    options.insert("confidence".to_owned(), json!(args.confidence));
    options.insert("prior".to_owned(), json!(args.prior));
    search(repository, &args.night, night, ends, args.first_parent, options)
}

/// Returns the full ids of the good revision and of the bad revision.
pub(super) fn ends(repository: &Repository, good: &str, bad: &str) -> Result<(String, String), Error> {
    Ok((end(repository, "--good", good, bad)?, end(repository, "--bad", bad, "HEAD")?))
}

/// Returns the full id of an endpoint, which can be a date.
fn end(repository: &Repository, option: &str, name: &str, tip: &str) -> Result<String, Error> {
    match repository.last_before("revision", name, tip).map_err(|error| error.about(option))? {
        Some(id) => Ok(id),
        None => repository.resolve(name).map_err(|error| error.about(option)),
    }
}

/// Creates a triage between two revisions. `options` are further options of the search.
pub(super) fn search(
    repository: &Repository,
    args: &NightArgs,
    night: Night,
    (good, bad): (String, String),
    first_parent: bool,
    mut options: Map<String, Value>,
) -> Result<Session, Error> {
    let graph: CommitGraph = repository.graph(&GraphOptions {
        tips: vec![bad.clone(), good.clone()],
        exclude: Vec::new(),
        first_parent,
        paths: Vec::new(),
    })?;
    options.insert("bad".to_owned(), json!([bad]));
    options.insert("good".to_owned(), json!([good]));
    options.insert("costs".to_owned(), json!(args.costs.map(|(build, test)| json!({ "build": build, "test": test }))));
    options.insert("batch".to_owned(), json!(args.batch));
    options.insert("max_tests".to_owned(), json!(args.max_tests));
    options.retain(|_, value| !value.is_null());
    let config: TriageConfig = core_json::options(&Value::Object(options))?;
    let Night { tests, tonight, last, quarantine } = night;
    let config = TriageConfig { tests, tonight, last, quarantine, ..config };
    let opened = || firstbad_git::open_in(repository, Arc::new(graph), Configuration::Triage(Box::new(config)));
    Ok(Session::new(streams::working("reading what the commits touch", opened)?))
}

/// Returns the runner of a test, or `None` if it is unknown.
pub(super) fn runner(record: &TestRecord) -> Option<Runner> {
    record.suite.clone().unwrap_or_default().runner_of(&record.command).ok()
}
