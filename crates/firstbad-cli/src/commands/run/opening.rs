//! Opens a run from the command line, from a journal, or from both.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser as _;
use firstbad::graph::Origin;
use firstbad::{Error, Search as _, Spelling, Status, World};
use firstbad_git::Repository;
use firstbad_journal::{Contents, Header, Options, Session, Test, WorldRecord};
use firstbad_oracle::{PresetChoice, TestRecord};

use crate::args::{Cli, Command, FetchArgs, RunArgs, SearchArgs};
use crate::driver_record::DriverRecord;
use crate::endpoint_output::ends;
use crate::history::{self, Costs, Described};
use crate::known::{self, Known};
use crate::last_run::Journals;
use crate::opened_journal::warn_of_losses;
use crate::view::count;
use crate::{carry, failure, streams, test, trust};

use super::head_start::HeadStart;

/// The maximum time to wait for another process that writes to the journal.
const PATIENCE: Duration = Duration::from_secs(2);

/// A run before its first test.
pub(super) struct Run {
    pub(super) repository: Repository,
    pub(super) session: Session,
    pub(super) test: TestRecord,
    pub(super) driver: DriverRecord,
    /// Notes to print before the first test.
    pub(super) notes: Vec<String>,
    /// Warnings for the report.
    pub(super) warnings: Vec<String>,
    /// Whether all requested causes are finished.
    pub(super) is_explained: bool,
    /// Whether the journal is in the cache because `--journal` is not given.
    own_journal: bool,
    /// Whether the run resumes an earlier run.
    goes_on: bool,
}

/// The journal after a run.
pub(super) enum Kept {
    /// The run is finished, or has no journal.
    Nothing,
    /// A journal to resume.
    Journal(PathBuf),
}

impl Run {
    /// Opens the search and the test. `oracle` prepares the first worktree meanwhile.
    pub(super) fn open(args: &RunArgs, oracle: &mut HeadStart<'_>) -> Result<Run, Error> {
        let found = match &args.drive.journal {
            Some(path) if std::fs::metadata(path).is_ok_and(|found| found.len() > 0) => {
                Some((path.clone(), firstbad_journal::read(path)?))
            }
            _ => None,
        };
        let output_dir = args.test.output_dir.as_deref();
        let driver = DriverRecord::new(args.drive.jobs, args.share.store.as_deref(), output_dir, args.search.fetch)?;
        let Some((path, contents)) = found else {
            let test = test::record(&args.test, TestRecord::default())?;
            let costs = Costs::Asked(&args.cached);
            let meanwhile = &mut |repository: &Repository, revision: &str| {
                let mut carrying = test.clone();
                carry::carry(&args.test, &mut carrying, repository)?;
                oracle.begin(repository, &carrying, &driver, revision)
            };
            let Described { repository, session, notes } = history::search(&args.search, &costs, &test, meanwhile)?;
            let mut run = Run::of(args, repository, session, test, driver)?;
            run.notes.splice(0..0, notes);
            return Ok(run);
        };
        let is_given = !args.test.command.is_empty();
        let (theirs, before) = trust::followed(&path, &contents.header, is_given, args.share.trust.trust_journal)?;
        // A given command replaces the journal's test, unless that has no command.
        let is_whole = is_given && !theirs.command.is_empty();
        let test = test::record(&args.test, if is_whole { TestRecord::default() } else { theirs })?;
        let driver = driver.over(before);
        let mut moved = None;
        let (repository, session) = if args.search.bad.is_empty() && args.search.good.is_empty() {
            let (repository, world) = history::world(&path, &contents, args.search.repository.named())?;
            let repository = repository.map_or_else(|| Repository::open(args.search.repository.folder()), Ok)?;
            check_options(&path, &contents.header, &args.search, &repository)?;
            let session = at_start(&path, &contents, world, &repository)?;
            moved = history::left_behind(&contents, &repository);
            (repository.fetching(driver.fetch), session)
        } else {
            // The first probe depends on the journal, so no worktree is prepared.
            let costs = Costs::begun(&contents.header);
            let given = SearchArgs { fetch: FetchArgs { fetch: driver.fetch }, ..args.search.clone() };
            let found = history::search(&given, &costs, &test, &mut |_, _| Ok(()))?;
            (found.repository, found.session)
        };
        let mut run = Run::of(args, repository, session, test, driver)?;
        run.notes.extend(moved);
        Ok(run)
    }

    fn of(
        args: &RunArgs,
        repository: Repository,
        session: Session,
        mut test: TestRecord,
        driver: DriverRecord,
    ) -> Result<Run, Error> {
        let mut notes = carry::carry(&args.test, &mut test, &repository)?;
        if args.test.command.is_empty() && args.output.quiet {
            // The notes about changed files matter even with --quiet.
            notes.drain(..).for_each(streams::note);
        }
        if let (PresetChoice::Is(preset), None) = (test.options.preset, &args.test.preset)
            && !args.test.command.is_empty()
        {
            let name = preset.as_str();
            notes.push(format!("reading exit codes as {name}, --preset none turns this off"));
        }
        if !args.test.command.is_empty() {
            notes.extend(carry::missing(&test, &repository, || ends(&session, "good"))?);
        }
        let (warnings, is_explained, own_journal, goes_on) = (Vec::new(), true, false, false);
        Ok(Run { repository, session, test, driver, notes, warnings, is_explained, own_journal, goes_on })
    }

    /// Opens the journal.
    pub(super) fn begin(&mut self, args: &RunArgs) -> Result<(), Error> {
        let test = Test::Command(self.test.value()?);
        let own = args.drive.journal.is_none();
        let options = Options { wait: PATIENCE, test, is_optional: own, driver: self.driver.value()?, digest: None };
        let Some(path) = &args.drive.journal else {
            return self.begin_own(&options);
        };
        let opening = self.session.attach(path, &options).map_err(|error| match &error {
            Error::Journal { .. } | Error::AnotherTest { .. } if args.resume.resume => {
                let path = path.display().to_string();
                let words = failure::words(&error);
                let reason = words.split("\nhelp: ").next().unwrap_or_default();
                // The error names the journal again.
                let starts = [format!("journal {path}: "), format!("journal {path} was ")];
                let reason = starts.iter().find_map(|start| reason.strip_prefix(start)).unwrap_or(reason);
                let message = format!(
                    "{reason}\nhelp: start a new run that imports the outcomes: replace --resume by --import {}",
                    quoted(path.as_ref())
                );
                Error::Journal { path, message }
            }
            _ => error,
        })?;
        Journals::of(&self.repository)?.remember("run", path);
        warn_of_losses(path, &opening);
        self.goes_on = opening.resumed;
        if opening.resumed {
            let runs = self.session.runs();
            self.notes.push(format!("resuming {} after {}", path.display(), count(runs, "run")));
        }
        Ok(())
    }

    /// Adds the imported outcomes.
    pub(super) fn assume(&mut self, known: Known) -> Result<(), Error> {
        let World::History(graph) = self.session.inspect().world() else { return Ok(()) };
        let (known, left_out) = known::within(known, &graph);
        if left_out > 0 {
            let text = format!("ignoring {} of other histories", count(left_out as u64, "imported outcome"));
            self.notes.push(text);
        }
        self.session.assume(&known)
    }

    /// Creates a journal in the cache. The run continues without a journal if this fails.
    fn begin_own(&mut self, options: &Options) -> Result<(), Error> {
        let journals = Journals::of(&self.repository)?;
        let path = journals.place("");
        self.own_journal = true;
        match self.session.attach(&path, options) {
            Ok(_) => journals.remember("run", &path),
            Err(error) => self.notes.push(format!("the search is not saved: {}", failure::words(&error))),
        }
        Ok(())
    }

    /// Returns the test command.
    pub(super) fn title(&self) -> String {
        self.test.command.join(" ")
    }

    fn is_over(&self) -> bool {
        let status = self.session.status();
        self.is_explained && !matches!(status, Status::Running | Status::Budget | Status::Stopped)
    }

    /// Returns the duration in seconds, or `None` for a resumed run.
    pub(super) fn waited(&self, began: Instant) -> Option<f64> {
        (!self.goes_on).then(|| began.elapsed().as_secs_f64())
    }

    pub(super) fn keeps_own_journal(&self) -> bool {
        self.own_journal
    }

    /// Closes the journal. It stays even without a run, so that `--resume` does not find an older run.
    pub(super) fn close(&mut self) -> Kept {
        let Some(path) = self.session.journal().map(Path::to_owned) else { return Kept::Nothing };
        if !self.session.journal_is_there() {
            return Kept::Nothing;
        }
        self.session.close();
        if self.is_over() { Kept::Nothing } else { Kept::Journal(path) }
    }
}

/// Creates the search of a journal without its events, which attaching adds.
fn at_start(path: &Path, contents: &Contents, world: World, repository: &Repository) -> Result<Session, Error> {
    let search = contents.header.search(world)?;
    if search.inspect().fingerprint() != contents.header.fingerprint {
        let answers = history::answers_of(contents, Some(repository)).unwrap_or_default();
        let message = format!("it was recorded for another history than that of this repository{answers}");
        return Err(Error::Journal { path: path.display().to_string(), message });
    }
    Ok(Session::new(search))
}

/// Checks that options without endpoints are those of the journal.
fn check_options(path: &Path, header: &Header, given: &SearchArgs, repository: &Repository) -> Result<(), Error> {
    let refused = |message: String| Error::Journal { path: path.display().to_string(), message };
    let values = |args: &SearchArgs| {
        serde_json::to_value(args.configuration()?).map_err(|error| Error::internal("a configuration", &error))
    };
    let usual = match Cli::try_parse_from(["firstbad", "run"]) {
        Ok(Cli { command: Command::Run(args), .. }) => values(&args.search)?,
        _ => return Ok(()),
    };
    if given.prior.is_some() || !given.test_name.is_empty() {
        let expected = "--bad as well, or no --prior, because the journal has one";
        return Err(Error::invalid("--prior", "without --bad", expected));
    }
    let given_values = values(given)?;
    for (name, value) in given_values.as_object().into_iter().flatten() {
        let theirs = &header.configuration[name];
        if usual.get(name) != Some(value) && value != theirs {
            let option = Spelling::CommandLine.option(name);
            return Err(refused(format!(
                "it was recorded with {option} {theirs}, not {value}\nhelp: use another --journal, or omit {option}"
            )));
        }
    }
    if let WorldRecord::Git(Origin { first_parent, paths, .. }) = &header.world {
        if given.first_parent && !first_parent {
            return Err(refused(
                "it was recorded without --first-parent\nhelp: use another --journal, or omit --first-parent"
                    .to_owned(),
            ));
        }
        let here = history::from_top(repository, &given.path);
        if !here.is_empty() && here != *paths {
            return Err(refused(format!(
                "it was recorded with --path {paths:?}, not {here:?}\nhelp: use another --journal, or omit --path"
            )));
        }
    }
    Ok(())
}

/// Quotes a path for a shell.
pub(super) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |character: char| character.is_alphanumeric() || "/._-+:,@=".contains(character);
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
