//! Runs the stages of a test in a worktree.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use firstbad::{Error, Observation, Outcome, Stage, printable};
use firstbad_git::{git, told};
use firstbad_platform::leftovers::stale;
use firstbad_platform::trees;
use firstbad_results::EnvironmentChange;
use serde_json::json;

use super::CommandOracle;
use super::prepare::Prepared;
use crate::checkout::Checkout;
use crate::environment::{Environments, InUse};
use crate::judging::doubts;
use crate::judging::judge::{LATE, Run};
use crate::judging::patience::Limit;
use crate::notices::Notice;
use crate::options::carried::CarriedFile;
use crate::process::group::{Ended, Finished, Limits, POLL, supervise};
use crate::process::job::Job;
use crate::process::launch::Surroundings;
use crate::process::stdout::Stdout;
use crate::process::{launch, log, signals};
use crate::worktree::work_tree::{Preparation, WorkTree};

/// The extension of the file next to a worktree that holds the signals of a test.
const SIGNALS: &str = "signals";

/// A run, and the state that its commands share.
pub(crate) struct Running<'a, 'b, 'c> {
    pub(crate) run: Run<'a>,
    around: Surroundings<'a>,
    log: File,
    pub(crate) work_tree: &'a WorkTree,
    pub(crate) how: &'a mut Preparation<'b, 'c>,
    /// The file with the definitions for tracers.
    definitions: Option<&'a Path>,
    environments: Option<&'a Environments>,
    checkout: &'a Checkout,
    /// The files copied from the checkout.
    pub(crate) carried: &'a BTreeMap<String, CarriedFile>,
    /// The environment of the test, if it has one that is ready.
    environment: Option<InUse>,
    /// Whether a stage has run.
    ran: bool,
    /// Whether a stage has passed.
    through: bool,
    /// Whether all stages before the test have passed in this worktree.
    built: bool,
    /// Whether the log has a heading for each command.
    has_headings: bool,
    /// The interval between samples of the memory.
    pub(crate) poll: Duration,
}

/// The test of a run, after its worktree is prepared.
pub(crate) struct Testing<'t> {
    /// Whether failures get a signature.
    pub(crate) signed: bool,
    /// Whether the worktree has a build of the revision, so no stage before the test runs.
    pub(crate) is_built: bool,
    /// Whether the test is one command.
    pub(crate) is_one: bool,
    /// Runs the test.
    pub(crate) test: &'t mut dyn FnMut(&mut Running<'_, '_, '_>) -> Result<Observation, Error>,
}

/// A command of a run.
pub(crate) struct Step<'a> {
    /// The name of the command in the log.
    pub(crate) name: &'a str,
    pub(crate) words: &'a [String],
    pub(crate) timeout: Option<Duration>,
    /// Additional variables of this command.
    pub(crate) variables: Vec<(&'static str, PathBuf)>,
    /// Changes of the environment that the runner of the tests needs.
    pub(crate) changes: &'a [EnvironmentChange],
    /// The input of the command, if any.
    pub(crate) input: Option<File>,
    /// The place for standard output, if it is read apart from the log.
    pub(crate) stdout: Option<&'a mut Stdout>,
}

impl CommandOracle {
    /// Runs the stages and the command of the test, and returns whether any command ran. With `signed`, failures get a signature.
    pub(crate) fn execute_test(
        &self,
        work_tree: &mut WorkTree,
        revision: &str,
        signed: bool,
        prepared: &Prepared,
        how: &mut Preparation<'_, '_>,
    ) -> Result<(Observation, bool), Error> {
        let test = &mut |running: &mut Running<'_, '_, '_>| running.test();
        let testing = Testing { signed, is_built: false, is_one: true, test };
        self.execute(work_tree, revision, testing, prepared, how)
    }

    /// Runs the stages and the test, and returns whether any command ran.
    pub(crate) fn execute(
        &self,
        work_tree: &mut WorkTree,
        revision: &str,
        testing: Testing<'_>,
        prepared: &Prepared,
        how: &mut Preparation<'_, '_>,
    ) -> Result<(Observation, bool), Error> {
        let Testing { signed, is_built, is_one, test } = testing;
        let (patched, name) = self.output_name(revision, prepared);
        let (path, mut log) = log::create(self.output_dir(), &name).map_err(|error| self.unwritten(&error))?;
        let run = Run {
            command: &self.command,
            revision,
            patched,
            log: &path,
            tree: work_tree.folder(),
            options: &self.options,
            rules: &self.rules,
            signed,
            limit: self.limit(revision, signed, prepared),
        };
        if let Some((stage, words)) = &prepared.obstacle {
            writeln!(log, "{words}").map_err(|error| self.unwritten(&error))?;
            return Ok((run.not_tested(*stage, words, self.rules.signatures.sign_words(words, run.tree)), false));
        }
        let job = Job::begin();
        let around = Surroundings {
            tree: work_tree.folder(),
            revision,
            patch: prepared.patch.as_deref(),
            output: &path,
            repository: self.repository.path(),
            job: job.number(),
            new: work_tree.new,
            env: &self.options.env,
        };
        let mut running = Running {
            run,
            around,
            log,
            work_tree,
            how,
            definitions: self.definitions.get().map(PathBuf::as_path),
            environments: self.environments.as_ref(),
            checkout: &self.checkout,
            carried: &self.carried,
            environment: None,
            ran: false,
            through: false,
            built: is_built,
            has_headings: !is_one || !self.options.is_test_alone(),
            poll: POLL,
        };
        let began = Instant::now();
        let seen = running.stages(test);
        let took = began.elapsed();
        let Running { ran, through, built, .. } = running;
        work_tree.new &= !through;
        // A build with a patch is not one of the revision.
        work_tree.built = (built && prepared.patch.is_none()).then(|| revision.to_owned());
        self.notices.add(self.printed(revision, &path));
        let seen = seen?;
        self.learn(revision, signed, prepared, &seen, took);
        Ok((with_own(seen, prepared), ran))
    }

    /// Returns the number of a run with a patch, and the name of the run's output.
    fn output_name(&self, revision: &str, prepared: &Prepared) -> (Option<u64>, String) {
        let patched = prepared.patch.as_ref().map(|_| self.patched.fetch_add(1, Ordering::Relaxed) + 1);
        (patched, patched.map_or(revision.to_owned(), |number| format!("{revision}.patch-{number}")))
    }

    /// Returns the error for an output file that cannot be written.
    fn unwritten(&self, error: &io::Error) -> Error {
        git::io(format!("writing output to {}", self.output_dir().display()), error)
    }

    /// Records how long the run took.
    fn learn(&self, revision: &str, signed: bool, prepared: &Prepared, seen: &Observation, took: Duration) {
        match (prepared.changes, seen.seconds) {
            (Some(changes), Some(_)) if signed => self.patience.learn(revision, changes, took),
            (None, Some(seconds)) if seen.signature.as_deref() != Some(LATE) => self.patience.expect_alone(seconds),
            _ => {}
        }
    }

    /// Returns a notice if the output of a run refers to the checkout.
    fn printed(&self, revision: &str, log: &Path) -> Option<Notice> {
        self.checkout.printed(&self.repository, revision, &log::read_end(log).ok()?)
    }
}

/// Adds the names of the files that the revision has itself, so firstbad did not copy them.
fn with_own(seen: Observation, prepared: &Prepared) -> Observation {
    if prepared.own.is_empty() {
        return seen;
    }
    let own = prepared.own.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let note = format!("{}; with {own} from the revision", seen.note.as_deref().unwrap_or_default());
    Observation { note: Some(printable(&note)), ..seen }
}

impl CommandOracle {
    /// Returns the time limits of a run. Signed runs with a patch belong to searches that split the patch.
    fn limit(&self, revision: &str, signed: bool, prepared: &Prepared) -> Limit {
        let Limit { test, stage } = match prepared.changes {
            Some(changes) if signed => self.patience.limit(revision, changes),
            None if self.is_limited.load(Ordering::Relaxed) => self.patience.limit_alone(),
            _ => Limit::default(),
        };
        Limit { test: self.options.timeout.or(test), stage: self.options.stage_timeout.or(stage) }
    }
}

impl Running<'_, '_, '_> {
    /// Runs the stages in order until one fails, and then the test.
    fn stages(
        &mut self,
        test: &mut dyn FnMut(&mut Running<'_, '_, '_>) -> Result<Observation, Error>,
    ) -> Result<Observation, Error> {
        self.how.active.testing();
        if let Some(environments) = self.environments {
            match self.provide(environments)? {
                ControlFlow::Continue(environment) => self.environment = Some(environment),
                ControlFlow::Break(obstacle) => return Ok(obstacle),
            }
        }
        let options = self.run.options;
        let is_built = self.built;
        for (stage, command) in options.before().filter(|_| !is_built) {
            let (finished, printed) = self.start(stage, command, None)?;
            if let Some(seen) = self.run.judge_stage(stage, command, &finished, &printed)? {
                return Ok(seen);
            }
            self.through = true;
        }
        self.built = true;
        let seen = test(self)?;
        self.through = true;
        Ok(seen)
    }

    /// Runs the command of the test, and the control after it.
    pub(crate) fn test(&mut self) -> Result<Observation, Error> {
        let options = self.run.options;
        let (finished, printed) = match self.start_test(None)? {
            ControlFlow::Continue(ended) => ended,
            ControlFlow::Break(not_started) => return Ok(not_started),
        };
        let mut seen = self.run.judge(&finished, &printed)?;
        let doubt = seen.doubt();
        // A test that was killed may have left an incomplete file.
        if matches!(finished.ended, Ended::Exited(status) if status.code().is_some()) {
            seen.signals = signals::read(&self.work_tree.beside(SIGNALS))?;
        }
        // If the test wrote signals, they stay as they are.
        if seen.outcome == Outcome::Fail && seen.signature.is_none() && seen.signals.is_none() {
            let failure = self.run.signature(&finished.ended, &printed)?;
            seen = told(seen, "failure", json!(failure));
        }
        seen = doubts::with(seen, doubt);
        let Some(control) = options.control.as_ref().filter(|_| self.wants_control(&seen)) else { return Ok(seen) };
        let (finished, printed) = self.start(Stage::Control, control, None)?;
        let broken = self.run.judge_stage(Stage::Control, control, &finished, &printed)?;
        if seen.outcome == Outcome::Pass {
            return Ok(match broken {
                Some(broken) => told(seen, "control", json!(broken.describe())),
                None => seen,
            });
        }
        // The test ran, so its time and memory count.
        Ok(broken.map(|broken| Observation { seconds: seen.seconds, memory: seen.memory, ..broken }).unwrap_or(seen))
    }

    /// Runs the command of the test. Breaks with the outcome if the command could not be started.
    pub(crate) fn start_test(
        &mut self,
        stdout: Option<&mut Stdout>,
    ) -> Result<ControlFlow<Observation, (Finished, log::Part)>, Error> {
        match self.start(Stage::Test, self.run.command, stdout) {
            Err(Error::CommandNotFound { code, command, revision, output }) => {
                let not_found = Error::CommandNotFound { command, code, revision, output };
                self.run.judge_not_started(code)?.map(ControlFlow::Break).ok_or(not_found)
            }
            started => Ok(ControlFlow::Continue(started?)),
        }
    }

    /// Returns whether the run was neither interrupted nor cancelled.
    pub(crate) fn goes_on(&mut self) -> bool {
        !self.how.active.stopped() && (self.how.keep_going)()
    }

    /// Writes a line to the log. A failure is ignored, because the note has the same words.
    pub(crate) fn log(&mut self, words: &str) {
        let _ = writeln!(self.log, "{words}");
    }

    /// Returns the path for the signals of the test, after removing those of earlier runs.
    fn signals(&self) -> Result<PathBuf, Error> {
        let path = self.work_tree.beside(SIGNALS);
        signals::clear(&path).map_err(|error| git::io(format!("removing {}", path.display()), &error))?;
        Ok(path)
    }

    /// Returns whether `control` runs: after a failure, and after a pass with a patch in searches that compare failures.
    fn wants_control(&self, seen: &Observation) -> bool {
        let is_brought_about = self.run.signed && self.run.patched.is_some();
        seen.outcome == Outcome::Fail || seen.outcome == Outcome::Pass && is_brought_about
    }

    fn start(
        &mut self,
        stage: Stage,
        words: &[String],
        stdout: Option<&mut Stdout>,
    ) -> Result<(Finished, log::Part), Error> {
        self.ran = true;
        let options = self.run.options;
        let mut variables = Vec::new();
        if stage == Stage::Test {
            variables.push((signals::VARIABLE, self.signals()?));
            // A variable from `env` takes precedence.
            let is_named = options.env.iter().any(|(name, _)| name == signals::DEFINITIONS);
            variables
                .extend(self.definitions.filter(|_| !is_named).map(|path| (signals::DEFINITIONS, path.to_owned())));
        }
        let timeout = if stage == Stage::Test { self.run.limit.test } else { self.run.limit.stage };
        self.finish(Step { name: stage.as_str(), words, timeout, variables, changes: &[], input: None, stdout })
    }

    /// Returns a command that uses the environment, if there is one.
    fn command(&self, words: &[String]) -> Result<Command, Error> {
        let options = self.run.options;
        let tree = self.around.tree;
        let usual = self.checkout.path(launch::path(&options.env), tree);
        let own = match &self.environment {
            Some(environment) => environment.path(usual.as_deref(), options)?,
            None => None,
        };
        let words = self.checkout.resolved(words, tree);
        let made = launch::command(&words, &self.around, own.as_deref().or(usual.as_deref()), &self.log);
        let writing = |error| git::io(format!("writing output to {}", self.run.log.display()), &error);
        let mut command = made.map_err(writing)?;
        command.envs(self.checkout.variables(&options.env, tree));
        if let Some(environment) = &self.environment {
            environment.enter(&mut command);
        }
        command.envs(own.map(|path| ("PATH", path)));
        Ok(command)
    }

    /// Runs a command until it ends, and shortens its output.
    ///
    /// # Errors
    /// [`Error::CommandNotFound`] if the command does not exist, and [`Error::Io`], also if the worktree disappears during the
    /// run.
    pub(crate) fn finish(&mut self, step: Step<'_>) -> Result<(Finished, log::Part), Error> {
        let Step { name, words, timeout, variables, changes, input, mut stdout } = step;
        let options = self.run.options;
        let path = self.run.log;
        let writing = |error: &io::Error| git::io(format!("writing output to {}", path.display()), error);
        let start = if self.has_headings { log::heading(path, &mut self.log, name, words) } else { Ok(0) };
        let mut printed = log::Part::new(start.map_err(|error| writing(&error))?, options.output_limit);
        let mut command = self.command(words)?;
        command.envs(variables);
        changes.iter().for_each(|change| launch::change(&mut command, change));
        if let Some(input) = input {
            command.stdin(input);
        }
        if let Some(stdout) = &stdout {
            command.stdout(stdout.handle().map_err(|error| writing(&error))?);
        }
        let mut keep_going = || {
            printed.thin(&self.log);
            stdout.iter_mut().for_each(|stdout| stdout.thin());
            (self.how.keep_going)()
        };
        let limits = Limits {
            active: self.how.active,
            keep_going: &mut keep_going,
            timeout,
            grace: options.kill_after,
            poll: self.poll,
        };
        let record = self.work_tree.beside("run");
        let place = self.work_tree.place();
        let finished =
            supervise(&mut command, limits, |group| trees::fresh(&record)?.write_all(stale::record(group).as_bytes()));
        // The file only helps a later oracle to end commands. An old file is harmless.
        let _ = std::fs::remove_file(&record);
        let mut settled = printed.settle(path);
        if let Some(stdout) = stdout {
            settled = settled.and_then(|()| stdout.settle(&mut self.log)).map(|bytes| printed.grow(bytes));
        }
        let finished = finished.map_err(|error| {
            let _ = writeln!(self.log, "{}", launch::reason(&words[0], self.around.tree, &error));
            match launch::exit_code(&error) {
                Some(code) => self.run.not_found(words, code),
                None => git::io(format!("running {}", words.join(" ")), &error),
            }
        })?;
        if place.is_none() || place != self.work_tree.place() {
            // The outcome may come from another folder than the worktree of the revision.
            let message = "it was removed or replaced while the command ran, so the result is unknown";
            let action = format!("testing {} in {}", self.run.revision, self.work_tree.folder().display());
            return Err(Error::Io { action, message: message.to_owned() });
        }
        settled.map_err(|error| git::io(format!("keeping the output in {}", path.display()), &error))?;
        Ok((finished, printed))
    }
}
