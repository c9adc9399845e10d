//! A command as an oracle for the content of one or several files, without any repository.

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
use crate::process::group::{Limits, supervise};
use crate::process::job::Job;
use crate::process::{job, launch, log, signals};
use crate::record::TestRecord;

/// What stands for the file's path in a command.
const PLACE: &str = "{}";

/// How much of what a command printed is handed out, in bytes.
const TAIL: u64 = 8 * 1024;

/// Runs one command for any content of some files, each run in a folder of its own that holds the files, under their names,
/// and nothing else.
///
/// May be shared between threads. All folders are removed by [`FileOracle::close`], or when this is dropped; those of a process
/// that was killed by the next one. What stays is the user's own folder that they are in, empty: another process may just be
/// about to make its own there.
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
    /// How long a run may take where the options do not say it.
    patience: Patience,
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct FileRun {
    /// What it says about the content. It names a file with the output only if a folder for them was given.
    pub observation: Observation,
    /// The end of what the command printed: the last 8 KiB.
    pub printed: Vec<u8>,
}

impl FileOracle {
    /// An oracle that runs `command` (a program and its arguments, no shell) for files that are called `names`, relative to
    /// the folder of the run. The path of the file, or of the folder if there are several, stands in place of each `{}`, or
    /// else as the last argument. A program with a slash in its name is looked for from the current folder. Of the options
    /// those about work trees mean nothing here.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an empty command, for no names, for two that are equal, and for one that leads out of
    /// the folder; [`Error::Io`].
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

    /// What the test is, as a journal keeps it.
    #[must_use]
    pub fn record(&self) -> TestRecord {
        TestRecord::of(&self.command, &self.options)
    }

    /// Records how many seconds the test of the whole file took. If the options have no timeout, each later run can take ten times as
    /// long as the slowest of them, and at least five seconds, because parts of a file can hang.
    pub fn expect_seconds(&self, seconds: f64) {
        self.patience.expect(seconds);
    }

    /// Ends all runs without patience, and later ones at once, for good: the process is about to exit.
    pub fn kill(&self) {
        self.control.kill();
    }

    /// Runs the command for files with these contents, in the order of their names, and waits for it, as
    /// [`CommandOracle::run_until`](crate::CommandOracle::run_until) does for a revision.
    ///
    /// # Errors
    /// [`Error::CommandNotFound`] for a program that cannot be started, [`Error::CommandStopped`],
    /// [`Error::Interrupted`], [`Error::Io`].
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
        let limits = Limits { active: &active, keep_going: &mut keep_going, timeout, grace };
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
        // We may run in a command of another oracle.
        command.env_remove(signals::VARIABLE).env_remove(signals::DEFINITIONS);
        command.current_dir(folder).env("PWD", folder).env("FIRSTBAD_FILE", file);
        command.env(job::VARIABLE, job.number().to_string());
        command.envs(self.options.env.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
        Ok(command)
    }

    /// Interrupts all runs for good, waits until they have ended, and removes the folders.
    ///
    /// # Errors
    /// [`Error::Io`] if something could not be removed.
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
        // There is nobody to tell.
        let _ = self.close();
    }
}

/// The folder of a run; it is gone when this is dropped.
struct RunFolder(PathBuf);

impl Drop for RunFolder {
    fn drop(&mut self) {
        // What is left goes with all folders.
        let _ = trees::remove(&self.0);
    }
}

/// An error with the last line that was printed, in place of a file that does not stay.
fn with_output(mut error: Error, printed: &[u8]) -> Error {
    if let Error::CommandNotFound { output, .. } | Error::CommandStopped { output, .. } | Error::Retry { output, .. } =
        &mut error
    {
        let last = printed.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        *output = String::from_utf8_lossy(last).trim().to_owned();
    }
    error
}

/// The end of a file.
fn tail(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut text = Vec::new();
    file.take(TAIL).read_to_end(&mut text)?;
    Ok(text)
}
