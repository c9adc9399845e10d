//! Runs a command for the contents of files, without a repository.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use firstbad::{Error, Observation};
use firstbad_git::cache::{self, absolute, making};
use firstbad_git::{OwnFolder, git};
use firstbad_platform::{programs, trees};

use crate::judging::judge::{Rules, Run};
use crate::judging::patience::{Limit, Patience};
use crate::options::CommandOptions;
use crate::process::control::Control;
use crate::process::group::{Limits, POLL, supervise};
use crate::process::job::Job;
use crate::process::{job, launch, log, signals};
use crate::record::TestRecord;

/// The placeholder for the path of the file in a command.
const PLACE: &str = "{}";

/// The number of bytes of output to return.
const TAIL: u64 = 8 * 1024;

/// An oracle that runs a command for any contents of a fixed set of files.
///
/// Each run has a folder that contains only these files, under their names. Threads can share the oracle.
///
/// [`FileOracle::close`] removes all folders, and so does dropping the oracle. The next oracle removes the folders of a process
/// that was killed. An empty parent folder stays, because another process may be about to use it.
#[derive(Debug)]
pub struct FileOracle {
    command: Vec<String>,
    names: Vec<PathBuf>,
    options: CommandOptions,
    rules: Rules,
    folders: OwnFolder,
    output: PathBuf,
    control: Control,
    runs: AtomicU64,
    /// The default time limits of runs.
    patience: Patience,
}

/// The result of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct FileRun {
    /// The observation of the run. It names an output file only if the options have an `output_dir`.
    pub observation: Observation,
    /// The last 8 KiB of the output.
    pub printed: Vec<u8>,
}

impl FileOracle {
    /// Creates an oracle that runs `command` (a program and its arguments, no shell) for files with these `names`, which are
    /// relative to the folder of the run.
    ///
    /// The path of the file replaces each `{}` in the command. If there are several files, the path of the folder does. A command
    /// without `{}` gets the path as its last argument. A program name with a slash is relative to the current folder. The oracle
    /// ignores options about worktrees.
    ///
    /// # Errors
    /// - [`Error::InvalidArgument`] if the command is empty, or if a name is missing, repeated, or outside the folder.
    /// - [`Error::Io`] if the folders cannot be created.
    pub fn new(mut command: Vec<String>, names: &[PathBuf], options: CommandOptions) -> Result<FileOracle, Error> {
        let is_within = |name: &PathBuf| {
            name.file_name().is_some() && name.components().all(|part| matches!(part, Component::Normal(_)))
        };
        if let Some(name) = names.iter().find(|name| !is_within(name)) {
            return Err(Error::invalid("names", name, "the name of a file in the folder of a run"));
        }
        let mut seen = HashSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(*name)) {
            return Err(Error::invalid("names", name, "each file once"));
        }
        if names.is_empty() {
            return Err(Error::invalid("names", "none", "the names of the files"));
        }
        match command.first_mut() {
            Some(program) if programs::is_path(program) => {
                *program = absolute(Path::new(program))?.to_string_lossy().into_owned();
            }
            Some(program) if !program.is_empty() => {}
            _ => return Err(Error::invalid("command", &command, "a program and its arguments")),
        }
        launch::check_words("command", &command, &options.env, |_| false)?;
        let options = CommandOptions { preset: options.preset.of(&command).into(), ..options };
        let rules = Rules::of(&options)?;
        let folders = OwnFolder::open(&cache::temporary("firstbad-files", "TMPDIR")?)?;
        let output = match &options.output_dir {
            Some(folder) => absolute(folder)?,
            None => folders.path().join("output"),
        };
        cache::make(&output).map_err(|error| making(&output, &error))?;
        let (control, runs, names) = (Control::new(), AtomicU64::new(0), names.to_vec());
        let patience = Patience::default();
        Ok(FileOracle { command, names, options, rules, folders, output, control, runs, patience })
    }

    /// Returns the record of the test for a journal.
    #[must_use]
    pub fn record(&self) -> TestRecord {
        TestRecord::of(&self.command, &self.options)
    }

    /// Records how many seconds the test of the whole file took.
    ///
    /// If the options have no timeout, each later run can take ten times as long as the slowest of these tests, and at least five
    /// seconds. Parts of a file can make the command hang.
    pub fn expect_seconds(&self, seconds: f64) {
        self.patience.expect(seconds);
    }

    /// Kills all runs, and later runs immediately. Call it before the process exits.
    pub fn kill(&self) {
        self.control.kill();
    }

    /// Runs the command for files with these contents, in the order of their names, until it ends. `keep_going` has the same
    /// meaning as in [`CommandOracle::run_until`](crate::CommandOracle::run_until).
    ///
    /// # Errors
    /// - [`Error::CommandNotFound`] if the program cannot be started.
    /// - [`Error::CommandStopped`] if the exit code stops the search.
    /// - [`Error::Interrupted`] if the run is interrupted.
    /// - [`Error::Io`] if the files cannot be written.
    pub fn run_until(&self, contents: &[Vec<u8>], keep_going: &mut dyn FnMut() -> bool) -> Result<FileRun, Error> {
        let active = self.control.enter()?;
        let number = self.runs.fetch_add(1, Ordering::Relaxed) + 1;
        let folder = RunFolder(self.folders.path().join(number.to_string()));
        for (name, content) in self.names.iter().zip(contents) {
            let file = folder.0.join(name);
            let above = file.parent().unwrap_or(&folder.0);
            let written = cache::make(above).and_then(|()| trees::fresh(&file)?.write_all(content));
            written.map_err(|error| git::io(format!("writing {}", file.display()), &error))?;
        }
        let file = match &self.names[..] {
            [name] => folder.0.join(name),
            _ => folder.0.clone(),
        };
        let logging = |error: &io::Error| git::io(format!("writing output to {}", self.output.display()), error);
        let (path, mut log) = log::create(&self.output, &format!("run-{number}")).map_err(|error| logging(&error))?;
        let job = Job::begin();
        let mut command = self.command(&folder.0, &file, &job, &log).map_err(|error| logging(&error))?;
        let run = Run {
            command: &self.command,
            revision: "",
            patched: None,
            log: &path,
            tree: &folder.0,
            options: &self.options,
            rules: &self.rules,
            signed: self.options.distinguish_failures,
            limit: Limit { test: self.options.timeout.or(self.patience.limit("", 0).test), stage: None },
        };
        let mut part = log::Part::new(0, self.options.output_limit);
        let mut keep_going = || {
            part.thin(&log);
            keep_going()
        };
        let timeout = run.limit.test;
        let grace = self.options.kill_after;
        let limits = Limits { active: &active, keep_going: &mut keep_going, timeout, grace, poll: POLL };
        let ended = supervise(&mut command, limits, |_| Ok(()));
        part.settle(&path).map_err(|error| git::io(format!("shortening {}", path.display()), &error))?;
        let seen = match ended {
            Ok(finished) => run.judge(&finished, &part),
            Err(error) => {
                let _ = writeln!(log, "{}", launch::reason(&self.command[0], &folder.0, &error));
                Err(match launch::exit_code(&error) {
                    Some(code) => run.not_found(&self.command, code),
                    None => git::io(format!("running {}", self.command.join(" ")), &error),
                })
            }
        };
        let printed = tail(&path).map_err(|error| git::io(format!("reading {}", path.display()), &error))?;
        if self.options.output_dir.is_some() {
            return Ok(FileRun { observation: seen?, printed });
        }
        let _ = std::fs::remove_file(&path);
        let mut observation = seen.map_err(|error| with_output(error, &printed))?;
        let words = observation.note.take().unwrap_or_default();
        observation.note = words.split("; output in ").next().map(str::to_owned);
        observation.output = None;
        Ok(FileRun { observation, printed })
    }

    fn command(&self, folder: &Path, file: &Path, job: &Job, log: &File) -> io::Result<Command> {
        let (program, arguments) = self.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let path = file.to_string_lossy();
        let search = launch::path(&self.options.env);
        let mut command = programs::command(program, search.as_deref(), folder);
        command.args(arguments.iter().map(|argument| argument.replace(PLACE, &path)));
        if !arguments.iter().any(|argument| argument.contains(PLACE)) {
            command.arg(file);
        }
        // This process can itself run inside a command of another oracle.
        command.env_remove(signals::VARIABLE).env_remove(signals::DEFINITIONS);
        command.current_dir(folder).env("PWD", folder).env("FIRSTBAD_FILE", file);
        command.env(job::VARIABLE, job.number().to_string());
        command.envs(self.options.env.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
        Ok(command)
    }

    /// Interrupts all runs permanently, waits until they have ended, and removes the folders.
    ///
    /// # Errors
    /// [`Error::Io`] if a folder could not be removed.
    pub fn close(&self) -> Result<(), Error> {
        if self.control.is_fork() {
            return Ok(());
        }
        self.control.close();
        self.folders.remove()
    }
}

impl Drop for FileOracle {
    fn drop(&mut self) {
        // A drop cannot report errors.
        let _ = self.close();
    }
}

/// The folder of a run. Dropping it removes the folder.
struct RunFolder(PathBuf);

impl Drop for RunFolder {
    fn drop(&mut self) {
        // `close` removes remaining files.
        let _ = trees::remove(&self.0);
    }
}

/// Adds the last line of the output to an error, because the output file does not stay.
fn with_output(mut error: Error, printed: &[u8]) -> Error {
    if let Error::CommandNotFound { output, .. } | Error::CommandStopped { output, .. } | Error::Retry { output, .. } =
        &mut error
    {
        let last = printed.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        *output = String::from_utf8_lossy(last).trim().to_owned();
    }
    error
}

/// Returns the end of a file.
fn tail(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut text = Vec::new();
    file.take(TAIL).read_to_end(&mut text)?;
    Ok(text)
}
