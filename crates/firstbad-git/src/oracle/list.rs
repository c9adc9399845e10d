//! A command as an oracle for the ids of a list: builds, versions, tags of images. It runs in one folder, and no repository is
//! needed.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use firstbad::{Error, Observation};
use firstbad_platform::programs;

use super::control::Control;
use super::group::{Limits, supervise};
use super::job::Job;
use super::judge::{Rules, Run};
use super::options::CommandOptions;
use super::output::Output;
use super::patience::Limit;
use super::record::TestRecord;
use super::{environment, job, launch, log, signals};
use crate::cache::{self, absolute, making};
use crate::git;

/// What stands for the id in a command.
const PLACE: &str = "{}";

/// Runs one command for any id of a list.
///
/// The id stands in the place of each `{}` in the command, and in the variable `FIRSTBAD_REVISION`. All runs share one folder, and
/// those side by side tell themselves apart by `FIRSTBAD_JOB`. May be shared between threads.
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
    /// An oracle that runs `command` (a program and its arguments, no shell) in a folder. Options about work trees do nothing.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an empty command, or for an expression that is none; [`Error::Io`].
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

    /// What the test is, as a journal keeps it.
    ///
    /// # Errors
    /// Those of [`TestRecord::of`].
    pub fn record(&self) -> Result<TestRecord, Error> {
        TestRecord::of(&self.command, &self.options)
    }

    /// Ends all runs without patience, and later ones at once, for good: the process is about to exit.
    pub fn kill(&self) {
        self.control.kill();
    }

    /// Runs the command for an id and waits for it, as [`CommandOracle::run_until`](crate::CommandOracle::run_until) does for a
    /// revision.
    ///
    /// # Errors
    /// [`Error::CommandNotFound`], [`Error::CommandStopped`], [`Error::Retry`], [`Error::Interrupted`], [`Error::Io`].
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
            signed: self.options.signatures,
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
            grace: self.options.grace,
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

    /// The command, ready to start.
    fn started(&self, words: &[String], (id, output): (&str, &Path), job: &Job) -> io::Result<Command> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let search = launch::path(&self.options.env);
        let mut command = programs::command(program, search.as_deref(), &self.folder);
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null());
        // This process may run in a command of another oracle.
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

    /// Interrupts all runs for good, and waits until they have ended.
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
