//! `firstbad run --list`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use firstbad::{CommitGraph, Configuration, Error, OutcomeCache, Search as _, Status, World};
use firstbad_journal::{Contents, Header, Options, Session, Test, WorldRecord};
use firstbad_oracle::{ListOracle, TestRecord};
use firstbad_report::Exit;

use super::exit::exit_of;
use super::opening::quoted;
use crate::args::{FetchArgs, RunArgs};
use crate::drive::{End, Job, Plan, drive};
use crate::driver_record::DriverRecord;
use crate::last_run::Journals;
use crate::opened_journal::warn_of_losses;
use crate::shared::{self, SharedTest};
use crate::signals::Signals;
use crate::view::{View, count};
use crate::{answer, endpoint_output, failure, input, known, stop_record, streams, test, trust};

/// The maximum time to wait for another process that writes to the journal.
const PATIENCE: Duration = Duration::from_secs(2);

/// A search in a list, with its test and journal.
struct ListRun {
    session: Session,
    oracle: Arc<ListOracle>,
    test: TestRecord,
    driver: DriverRecord,
    notes: Vec<String>,
    /// Whether the journal is in the cache because `--journal` is not given.
    own_journal: bool,
    /// Whether the search resumes an earlier run.
    is_resumed: bool,
}

/// Returns whether the search is in a list, from `--list` or from the journal.
pub(super) fn is_meant(args: &RunArgs) -> bool {
    let is_of_list = |path: &PathBuf| {
        let header = firstbad_journal::read_header(path);
        matches!(header, Ok(Header { world: WorldRecord::Graph { .. }, .. }))
    };
    args.list.list.is_some() || args.drive.journal.as_ref().is_some_and(is_of_list)
}

/// Finds the first bad id of a list.
pub(super) fn run(args: &RunArgs) -> Result<Exit, Error> {
    let began = Instant::now();
    let known = args.drive.import.as_deref().map(known::read).transpose()?.unwrap_or_default();
    let signals = Signals::listen()?;
    signals.end_at_once(true);
    let mut run = ListRun::open(args)?;
    run.begin(args)?;
    signals.end_at_once(false);
    let last = Arc::clone(&run.oracle);
    signals.before_exit(move || last.kill());
    if let Some(journal) = run.session.journal() {
        stop_record::forget(journal);
    }
    if let World::History(graph) = run.session.inspect().world() {
        let (known, left_out) = known::within(known, &graph);
        run.notes.extend(
            (left_out > 0)
                .then(|| format!("ignoring {left_out} imported outcomes, because their ids are not in the list")),
        );
        run.session.assume(&known)?;
    }
    run.share()?;
    run.session.set_budget(args.drive.budget.of_runs())?;
    let mut view = View::new(args.output.quiet, run.test.command.join(" "), None);
    run.notes.iter().for_each(|note| view.note(note));
    let oracle = Arc::clone(&run.oracle);
    let test = |probe: &Job, keep_going: &mut dyn FnMut() -> bool| oracle.run_until(probe.revision(), keep_going);
    let (jobs, deadline) = (run.driver.jobs.unwrap_or(1), args.drive.budget.deadline(began));
    let plan = Plan::new(&test, jobs, deadline, &signals);
    let ended = drive(&mut run.session, &plan, &mut view);
    view.close();
    run.oracle.close();
    if let Some(trouble) = run.session.journal_trouble() {
        streams::note(format_args!("the search is no longer saved: {trouble}"));
    }
    if let Some(trouble) = run.session.cache_trouble() {
        streams::note(shared::no_more(trouble));
    }
    run.finish(args, began, ended)
}

/// Reads the ids of a list.
fn ids_in(path: &Path) -> Result<Vec<String>, Error> {
    let text = input::text(path, input::read_text(path)?)?;
    let ids: Vec<String> = text.lines().map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned).collect();
    match ids.is_empty() {
        true => Err(Error::invalid("--list", input::name(path), "a file with one id on each line, the oldest first")),
        false => Ok(ids),
    }
}

impl ListRun {
    /// Creates the search and the test from the command line or from an existing journal.
    fn open(args: &RunArgs) -> Result<ListRun, Error> {
        let found = match &args.drive.journal {
            Some(path) if std::fs::metadata(path).is_ok_and(|found| found.len() > 0) => {
                Some((path.as_path(), firstbad_journal::read(path)?))
            }
            _ => None,
        };
        let is_given = !args.test.command.is_empty();
        let (theirs, before) = match &found {
            Some((path, contents)) => {
                trust::followed(path, &contents.header, is_given, args.share.trust.trust_journal)?
            }
            None => Default::default(),
        };
        let is_whole = is_given && !theirs.command.is_empty();
        let test = test::record(&args.test, if is_whole { TestRecord::default() } else { theirs })?;
        let output_dir = args.test.output_dir.as_deref();
        let store = args.share.store.as_deref();
        let driver = DriverRecord::new(args.drive.jobs, store, output_dir, FetchArgs { fetch: false })?;
        let driver = if is_given || before.folder.is_none() { driver.in_this_folder()? } else { driver }.over(before);
        let oracle = test::list_oracle(&args.test, &test, &driver)?;
        let mut notes = Vec::new();
        let session = match (&args.list.list, &found) {
            (Some(list), _) => listed(args, list, &mut notes)?,
            (None, Some((path, contents))) => at_start(path, contents)?,
            (None, None) => return Err(Error::internal("a list", &"there is neither a list nor a journal")),
        };
        let oracle = Arc::new(oracle);
        Ok(ListRun { session, oracle, test, driver, notes, own_journal: false, is_resumed: false })
    }

    /// Opens the journal of `--journal`, or a journal in the cache that makes it possible to resume the run.
    fn begin(&mut self, args: &RunArgs) -> Result<(), Error> {
        let journals = Journals::at(Path::new("."))?;
        self.own_journal = args.drive.journal.is_none();
        let path = args.drive.journal.clone().unwrap_or_else(|| journals.place(""));
        let options = Options {
            wait: PATIENCE,
            test: Test::Command(self.test.value()?),
            is_optional: self.own_journal,
            driver: self.driver.value()?,
            digest: None,
        };
        match self.session.attach(&path, &options) {
            Ok(opening) => {
                journals.remember("run", &path);
                warn_of_losses(&path, &opening);
                self.is_resumed = opening.resumed;
                if opening.resumed {
                    let runs = count(self.session.runs(), "run");
                    self.notes.push(format!("resuming {} after {runs}", path.display()));
                }
            }
            Err(error) if self.own_journal => {
                self.notes.push(format!("the search is not saved: {}", failure::words(&error)))
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Shares outcomes through the store, if one is given. The ids are the keys.
    fn share(&mut self) -> Result<(), Error> {
        let Some(store) = &self.driver.store else { return Ok(()) };
        let mut opened: Option<Box<dyn OutcomeCache>> = None;
        let shared = SharedTest { store, test: &self.test };
        self.notes.extend(shared.by_trees(|cache| opened = Some(cache), &self.session)?);
        opened.map_or(Ok(()), |cache| self.session.share(cache))
    }

    /// Prints the report and the next step. Returns the exit code.
    fn finish(mut self, args: &RunArgs, began: Instant, ended: Result<End, Error>) -> Result<Exit, Error> {
        let mut summary = answer::summary(&self.session, None)?;
        let is_error = ended.is_err();
        let exit = exit_of(ended, &self.session, &mut summary, &args.output);
        let has_answers = summary.report.runs() > 0;
        if has_answers || exit == summary.exit() && !is_error {
            summary.waited = (!self.is_resumed).then(|| began.elapsed().as_secs_f64());
            let runs = summary.report.runs();
            let is_out_of_budget = summary.status() == Status::Budget;
            if let Some(left) = summary.left.as_mut().filter(|_| is_out_of_budget) {
                left.limit = Some(args.drive.budget.reached(runs).to_owned());
            }
            answer::print(&summary, &args.output, &self.session)?;
            endpoint_output::show(&self.session, &summary, !args.output.is_formatted());
        }
        let is_over = !matches!(self.session.status(), Status::Running | Status::Budget | Status::Stopped);
        let journal = self.session.journal().filter(|_| self.session.journal_is_there()).map(quoted);
        self.session.close();
        if let Some(journal) = journal.filter(|_| !is_over && (has_answers || !self.own_journal)) {
            let options = summary.resumes.unwrap_or_default();
            streams::note(match self.own_journal {
                true => format!("to resume: firstbad run --resume{options}"),
                false => format!("to resume: firstbad run --journal {journal}{options}"),
            });
        }
        Ok(exit)
    }
}

/// Creates the search for `--list`.
fn listed(args: &RunArgs, list: &Path, notes: &mut Vec<String>) -> Result<Session, Error> {
    let ids = ids_in(list)?;
    let mut search = args.search.clone();
    let (newer, option) = if search.fix { (&mut search.good, "--good") } else { (&mut search.bad, "--bad") };
    if let (true, Some(last)) = (newer.is_empty(), ids.last()) {
        newer.push(last.clone());
        notes.push(format!("{option} is {last}, the last of {}", count(ids.len() as u64, "id")));
    }
    let configuration = Configuration::Regression(Box::new(search.configuration()?));
    let search = configuration.open(Arc::new(CommitGraph::linear(&ids)?))?;
    Ok(Session::new(search))
}

/// Creates the search of a journal without its events. [`Session::attach`] replays them.
fn at_start(path: &Path, contents: &Contents) -> Result<Session, Error> {
    let world = contents.header.world(path, None)?;
    Ok(Session::new(contents.header.search(world)?))
}
