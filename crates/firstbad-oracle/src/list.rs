//! An oracle that runs a command for the ids of a list, such as builds, versions or image tags. It needs no repository.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use firstbad::{Error, Observation};
use firstbad_git::cache::{self, absolute, making};
use firstbad_git::git;
use firstbad_platform::programs;

use crate::judging::judge::{Rules, Run};
use crate::judging::patience::Limit;
use crate::options::{CommandOptions, environment};
use crate::process::control::Control;
use crate::process::group::{Limits, POLL, supervise};
use crate::process::job::Job;
use crate::process::output::Output;
use crate::process::{job, launch, log, signals};
use crate::record::TestRecord;

/// The placeholder for the id in a command.
const PLACE: &str = "{}";

/// An oracle that runs one command for any id of a list.
///
/// The id replaces each `{}` in the command and is the value of `FIRSTBAD_REVISION`. All runs share one folder. Parallel runs
/// have different numbers in `FIRSTBAD_JOB`. Threads can share the oracle.
#[derive(Debug)]
pub struct ListOracle {
    command: Vec<String>,
    options: CommandOptions,
    rules: Rules,
    folder: PathBuf,
    output: Output,
    control: Control,
    runs: AtomicU64,
}

impl ListOracle {
    /// Creates an oracle that runs `command` (a program and its arguments, no shell) in a folder. It ignores options for
    /// worktrees.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the command is empty, a regular expression is invalid or the time limit is invalid, and
    /// [`Error::Io`] if the output folder cannot be created.
    pub fn new(folder: &Path, command: Vec<String>, options: CommandOptions) -> Result<ListOracle, Error> {
        if command.first().is_none_or(String::is_empty) {
            return Err(Error::invalid("command", &command, "a program and its arguments"));
        }
        options.check_time_limit()?;
        let rules = Rules::of(&options)?;
        let folder = absolute(folder)?;
        let output = match &options.output_dir {
            Some(given) => {
                let given = absolute(given)?;
                std::fs::create_dir_all(&given).map_err(|error| making(&given, &error))?;
                Output::given(given)
            }
            None => {
                let above = cache::folder(None)?.join("output");
                Output::cached(&above, &cache::name_of(&folder)).map_err(|error| making(&above, &error))?
            }
        };
        Ok(ListOracle { command, options, rules, folder, output, control: Control::new(), runs: AtomicU64::new(0) })
    }

    /// Returns the record of the test for a journal.
    #[must_use]
    pub fn record(&self) -> TestRecord {
        TestRecord::of(&self.command, &self.options)
    }

    /// Kills all runs, and later runs immediately. Call it before the process exits.
    pub fn kill(&self) {
        self.control.kill();
    }

    /// Runs the command for an id until it finishes, as [`CommandOracle::run_until`](crate::CommandOracle::run_until) does for a
    /// revision.
    ///
    /// # Errors
    /// [`Error::CommandNotFound`] if the command cannot be started, [`Error::CommandStopped`] or [`Error::Retry`] if its exit
    /// code means that, [`Error::Interrupted`] if the run is interrupted, and [`Error::Io`] if the output cannot be written or
    /// read.
    pub fn run_until(&self, id: &str, keep_going: &mut dyn FnMut() -> bool) -> Result<Observation, Error> {
        let active = self.control.enter()?;
        let number = self.runs.fetch_add(1, Ordering::Relaxed) + 1;
        let folder = self.output.path();
        let logging = |error: &io::Error| git::io(format!("writing output to {}", folder.display()), error);
        let (path, mut log) = log::create(folder, &format!("run-{number}")).map_err(|error| logging(&error))?;
        let words: Vec<String> = self.command.iter().map(|word| word.replace(PLACE, id)).collect();
        let job = Job::begin();
        let mut command = self.started(&words, (id, &path), &job).map_err(|error| logging(&error))?;
        command.stdout(log.try_clone().map_err(|error| logging(&error))?);
        command.stderr(log.try_clone().map_err(|error| logging(&error))?);
        let run = Run {
            command: &words,
            revision: id,
            patched: None,
            log: &path,
            tree: &self.folder,
            options: &self.options,
            rules: &self.rules,
            signed: self.options.distinguish_failures,
            limit: Limit { test: self.options.timeout, stage: None },
        };
        let mut part = log::Part::new(0, self.options.output_limit);
        let mut keep_going = || {
            part.thin(&log);
            keep_going()
        };
        let limits = Limits {
            active: &active,
            keep_going: &mut keep_going,
            timeout: self.options.timeout,
            grace: self.options.kill_after,
            poll: POLL,
        };
        let ended = supervise(&mut command, limits, |_| Ok(()));
        part.settle(&path).map_err(|error| git::io(format!("shortening {}", path.display()), &error))?;
        match ended {
            Ok(finished) => run.judge(&finished, &part),
            Err(error) => {
                let _ = writeln!(log, "{}", launch::reason(&words[0], &self.folder, &error));
                Err(match launch::exit_code(&error) {
                    Some(code) => run.not_found(&words, code),
                    None => git::io(format!("running {}", words.join(" ")), &error),
                })
            }
        }
    }

    /// Returns the command, ready to start.
    fn started(&self, words: &[String], (id, output): (&str, &Path), job: &Job) -> io::Result<Command> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let search = launch::path(&self.options.env);
        let mut command = programs::command(program, search.as_deref(), &self.folder);
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null());
        // This process can itself run inside a command of another oracle.
        for name in ["FIRSTBAD_PATCH", environment::VARIABLE, signals::VARIABLE, signals::DEFINITIONS] {
            command.env_remove(name);
        }
        command.envs(self.options.env.iter().map(|(name, value)| (name, value)));
        command
            .env("FIRSTBAD_REVISION", id)
            .env("FIRSTBAD_OUTPUT", output)
            .env(job::VARIABLE, job.number().to_string());
        Ok(command)
    }

    /// Interrupts all runs permanently and waits until they have finished.
    pub fn close(&self) {
        if !self.control.is_fork() {
            self.control.close();
        }
    }
}

impl Drop for ListOracle {
    fn drop(&mut self) {
        self.close();
    }
}
