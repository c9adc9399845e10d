//! `firstbad run --metric`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use firstbad::metric::AtLeast;
use firstbad::{ChangeConfig, CommitGraph, Configuration, Error, Search as _, json as core_json, short};
use firstbad_git::{GraphOptions, Repository};
use firstbad_journal::Session;
use firstbad_oracle::{MeasureOracle, MetricKind, TestRecord};
use firstbad_report::{Exit, plain};
use serde_json::{Map, Value, json};

use super::triage::ends;
use crate::args::{MetricArgs, RunArgs, SearchArgs};
use crate::drive::{Job, Plan};
use crate::history::from_top;
use crate::opened_journal::configuration_of;
use crate::opened_search::{Given, OpenedSearch, Oracle, OracleArgs};
use crate::signals::Signals;
use crate::{answer, streams, test};

const EXAMPLE: &str = "firstbad run --good v2.0 --metric seconds -- ./bench";

/// The name of the search in journals.
pub(super) const ALGORITHM: &str = "change";

impl Oracle for MeasureOracle {
    fn new(
        repository: &Repository,
        record: &TestRecord,
        output_dir: Option<&Path>,
        example: &str,
    ) -> Result<Self, Error> {
        test::measure_oracle(repository, record, output_dir, example)
    }

    fn command(&self) -> &firstbad_oracle::CommandOracle {
        MeasureOracle::command(self)
    }
}

/// Returns whether a run searches for a change in a number, because of `--metric` or of its journal.
pub(super) fn is_meant(args: &RunArgs) -> bool {
    let is_of_change =
        |path: &PathBuf| firstbad_journal::read_header(path).is_ok_and(|header| header.algorithm == ALGORITHM);
    !args.metric.metric.is_empty() || args.drive.journal.as_ref().is_some_and(is_of_change)
}

/// Returns whether a session searches for a change in a number.
pub(super) fn is_searched(session: &Session) -> bool {
    session.inspect().algorithm() == ALGORITHM
}

/// Returns the good revision that each run measures too, or `None` if the search is not paired.
pub(super) fn control(session: &Session) -> Option<String> {
    if !is_searched(session) {
        return None;
    }
    let configuration = configuration_of(session).ok()?;
    let is_paired = configuration["paired"] == true;
    configuration["good"][0].as_str().filter(|_| is_paired).map(str::to_owned)
}

/// Finds the commits that changed a number.
pub(super) fn run(args: &RunArgs) -> Result<Exit, Error> {
    refuse_others(args)?;
    let is_described = !args.metric.metric.is_empty();
    if !is_described {
        args.metric.refuse(Some(&args.kept))?;
    }
    let signals = Signals::listen()?;
    let given = Given {
        command: "run",
        algorithm: ALGORITHM,
        repository: &args.search.repository,
        fetch: args.search.fetch,
        is_described,
        test: &args.test,
        oracle: OracleArgs::Measure(&args.metric, &args.kept),
        drive: &args.drive,
        store: None,
        trust: args.share.trust,
        example: EXAMPLE,
    };
    let fresh = |repository: &Repository, _: &TestRecord, _: &Arc<MeasureOracle>| {
        let (session, notes) = search(repository, &args.search, &args.metric)?;
        notes.iter().filter(|_| !args.output.quiet).for_each(streams::note);
        Ok(session)
    };
    let mut search: OpenedSearch<MeasureOracle> = OpenedSearch::open(&given, fresh, |_| Ok(None))?;
    search.obey(&signals);
    let oracle = Arc::clone(&search.oracle);
    let jobs = search.jobs();
    if jobs > 1 && oracle.kinds().iter().any(MetricKind::is_time) {
        streams::warning(format_args!(
            "--jobs {jobs}: builds of other revisions can slow down a command that is measured"
        ));
    }
    let control = control(&search.session);
    let run = |job: &Job, keep_going: &mut dyn FnMut() -> bool| match &control {
        Some(control) => oracle.run_paired(job.revision(), control, keep_going),
        None => oracle.run_until(job.revision(), keep_going),
    };
    let warnings = Mutex::new(Vec::new());
    let said = || test::late_warnings(oracle.command(), &warnings);
    let plan = Plan { said: Some(&said), ..Plan::new(&run, jobs, search.deadline(&args.drive), &signals) };
    let ended = search.drive(&plan, args.output.quiet, None);
    let mut summary = answer::summary(&search.session, Some(&search.repository))?;
    // The next run removes what cannot be removed now.
    oracle.command().close().err().iter().for_each(streams::note);
    let warnings = warnings.into_inner().unwrap_or_else(PoisonError::into_inner);
    warnings.into_iter().for_each(|warning| summary.report.warn(warning));
    answer::print(&summary, &args.output, &search.session)?;
    Ok(search.exit(ended, &args.drive, summary.exit()))
}

/// Refuses options of other searches.
fn refuse_others(args: &RunArgs) -> Result<(), Error> {
    let expected = "another search: a number does not pass or fail";
    let given = [
        ("--list", args.list.list.is_some(), "commits of a repository"),
        ("--store", args.share.store.is_some(), "no store, because numbers of other machines do not compare"),
        ("--explain", args.explain, expected),
        ("--into-submodules", args.into_submodules, expected),
        ("--fail-pattern", args.test.fail_pattern.is_some(), expected),
        ("--pass-pattern", args.test.pass_pattern.is_some(), expected),
    ];
    refuse(given)?;
    args.output.without_bisect_log("firstbad run --metric")
}

fn refuse<'a>(given: impl IntoIterator<Item = (&'a str, bool, &'a str)>) -> Result<(), Error> {
    match given.into_iter().find(|(_, is_given, _)| *is_given) {
        Some((option, _, expected)) => Err(Error::invalid(option, "with --metric", expected)),
        None => Ok(()),
    }
}

/// Creates the search of the command line. Returns it with notes about its endpoints.
pub(super) fn search(
    repository: &Repository,
    given: &SearchArgs,
    metric: &MetricArgs,
) -> Result<(Session, Vec<String>), Error> {
    let expected = "another search: a number does not pass or fail";
    refuse([
        ("--fix", given.fix, "--find faster instead"),
        ("--flaky", given.flaky.is_some(), "no --flaky, because firstbad repeats measurements anyway"),
        ("--false-pass-rate", given.false_pass_rate.is_some(), expected),
        ("--distinguish-failures", given.distinguish_failures.is_some(), expected),
        ("--search", given.search != "auto", "no --search, because there is one strategy for numbers"),
        ("--no-test-endpoints", given.no_test_endpoints, "measured endpoints, because the search compares with them"),
        ("--no-confirm", given.no_confirm, expected),
    ])?;
    let kinds = metric.metric.iter().map(|kind| MetricKind::parse(kind)).collect::<Result<Vec<_>, _>>()?;
    let (good, bad, notes) = endpoints(repository, given)?;
    let graph: CommitGraph = repository.graph(&GraphOptions {
        tips: vec![bad.clone(), good.clone()],
        exclude: Vec::new(),
        first_parent: given.first_parent,
        paths: from_top(repository, &given.path),
    })?;
    let mut options = Map::new();
    let mut put = |name: &str, value: Value| options.insert(name.to_owned(), value);
    put("bad", json!([bad]));
    put("good", json!([good]));
    put("find", json!(metric.find.as_ref().map(|_| "fix")));
    put("at_least", json!(metric.at_least));
    put("all_steps", json!(metric.all_steps.then_some(true)));
    put("exact", json!(metric.exact.then_some(true)));
    put("control_every", json!(metric.control_every));
    put("paired", json!(metric.paired.then_some(true)));
    put("confidence", json!(given.confidence));
    put("prior", json!(given.prior));
    match &kinds[..] {
        [kind] => {
            put("worse", json!(worse(metric, kind)?));
            put("unit", json!(kind.unit()));
        }
        kinds => {
            let of_kind = |kind: &MetricKind| {
                let options = json!({ "worse": worse(metric, kind)?, "unit": kind.unit() });
                Ok((kind.to_string(), options))
            };
            put("metrics", Value::Object(kinds.iter().map(of_kind).collect::<Result<_, Error>>()?));
        }
    }
    check_unit(metric.at_least.as_ref(), &kinds)?;
    options.retain(|_, value| !value.is_null());
    let config: ChangeConfig = core_json::options(&Value::Object(options))?;
    let opened = || firstbad_git::open_in(repository, Arc::new(graph), Configuration::Change(Box::new(config)));
    Ok((Session::new(streams::working("reading what the commits touch", opened)?), notes))
}

/// Returns the full ids of the good and of the bad revision, with notes about defaults.
fn endpoints(repository: &Repository, given: &SearchArgs) -> Result<(String, String, Vec<String>), Error> {
    let one = |option: &str, names: &[String]| match names {
        [] => Ok(None),
        [name] => Ok(Some(name.clone())),
        more => Err(Error::invalid(option, more.join(", "), "one revision, because a number is compared with one")),
    };
    let (good, bad) = (one("--good", &given.good)?, one("--bad", &given.bad)?);
    let mut notes = Vec::new();
    let described = |id: &str| -> Result<String, Error> {
        let (sha, commit) = repository.commit(id)?;
        Ok(format!("{} ({})", short(&sha), plain(&commit.subject)))
    };
    if bad.is_none() {
        notes.push(format!("--bad is HEAD: {}", described("HEAD")?));
    }
    let bad = bad.unwrap_or_else(|| "HEAD".to_owned());
    let good = match good {
        Some(good) => good,
        None => {
            let (_, bad) = ends(repository, &bad, &bad)?;
            let missing = || {
                let expected = "no good revision, and no tag before --bad\nhelp: name a revision with a better number, such \
                                as --good v2.0";
                Error::invalid_value("--good", String::new(), expected)
            };
            let tag = repository.last_tag(&bad).ok_or_else(missing)?;
            notes.push(format!("--good is the last tag: {}", described(&tag)?));
            tag
        }
    };
    let (good, bad) = ends(repository, &good, &bad)?;
    Ok((good, bad, notes))
}

/// Returns the direction in which a number is worse.
fn worse(metric: &MetricArgs, kind: &MetricKind) -> Result<Value, Error> {
    match (&metric.worse, kind.worse()) {
        (Some(direction), _) => Ok(json!(direction)),
        (None, Some(direction)) => Ok(json!(direction)),
        (None, None) => {
            let expected = format!(
                "no direction for --metric {kind}\nhelp: add --worse up if a larger number is worse, --worse down, or \
                 --worse either"
            );
            Err(Error::invalid_value("--worse", String::new(), expected))
        }
    }
}

/// Checks that an amount fits the units of the kinds.
fn check_unit(at_least: Option<&AtLeast>, kinds: &[MetricKind]) -> Result<(), Error> {
    let Some((at_least, unit)) = at_least.and_then(|at_least| Some((at_least, at_least.unit()?))) else {
        return Ok(());
    };
    match kinds.iter().find(|kind| kind.unit().is_some_and(|known| known != unit)) {
        Some(kind) => {
            let expected = format!("a percentage, or an amount in the unit of {kind}");
            Err(Error::invalid("--at-least", at_least.to_string(), expected))
        }
        None => Ok(()),
    }
}
