//! Starts commands in worktrees.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use firstbad::Error;
use firstbad_git::git;
use firstbad_platform::{files, programs};
use firstbad_results::EnvironmentChange;

use super::{job, signals};
use crate::options::environment;

/// The context of a run for its commands.
pub(crate) struct Surroundings<'a> {
    pub(crate) tree: &'a Path,
    pub(crate) revision: &'a str,
    pub(crate) patch: Option<&'a Path>,
    pub(crate) output: &'a Path,
    pub(crate) repository: &'a Path,
    /// The number of the run among the concurrent ones.
    pub(crate) job: usize,
    /// Whether the worktree is new.
    pub(crate) new: bool,
    pub(crate) env: &'a [(String, String)],
}

/// The bytes to read of a script's first line, which is also the limit of systems.
const LONGEST_LINE: u64 = 256;

/// Returns `PATH` for a command with these variables.
pub(crate) fn path(env: &[(String, String)]) -> Option<OsString> {
    let given = env.iter().rev().find(|(name, _)| programs::is_search_path(name));
    given.map(|(_, path)| OsString::from(path)).or_else(programs::usual_path)
}

/// Returns a command, ready to start, with the worktree as its folder, no input, and its output in `log`. A program whose name
/// contains a slash belongs to the revision. All others come from `path`.
pub(crate) fn command(
    words: &[String],
    around: &Surroundings<'_>,
    path: Option<&OsStr>,
    log: &File,
) -> io::Result<Command> {
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let tree = around.tree;
    let mut command = programs::command(program, path, tree);
    command.args(arguments).current_dir(tree);
    for name in git::REDIRECTING {
        command.env_remove(name);
    }
    // Many programs trust this variable instead of asking the system.
    command.env("PWD", tree);
    // This process can itself run inside a command of another oracle.
    for name in ["FIRSTBAD_PATCH", environment::VARIABLE, signals::VARIABLE, signals::DEFINITIONS] {
        command.env_remove(name);
    }
    command.envs(around.env.iter().map(|(name, value)| (name, value)));
    command
        .env("FIRSTBAD_REVISION", around.revision)
        .env("FIRSTBAD_WORKTREE", tree)
        .env("FIRSTBAD_OUTPUT", around.output)
        .env("FIRSTBAD_REPOSITORY", around.repository)
        .env(job::VARIABLE, around.job.to_string())
        .env("FIRSTBAD_NEW_WORKTREE", if around.new { "1" } else { "0" });
    if let Some(patch) = around.patch {
        command.env("FIRSTBAD_PATCH", patch);
    }
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
    Ok(command)
}

/// Changes a variable of a command.
pub(crate) fn change(command: &mut Command, change: &EnvironmentChange) {
    let EnvironmentChange { name, value, is_first } = change;
    if !is_first {
        command.env(name, value);
        return;
    }
    let given = command.get_envs().find(|(given, _)| *given == OsStr::new(name));
    let folders = given.map_or_else(|| std::env::var_os(name), |(_, value)| value.map(OsStr::to_owned));
    let folders = folders.iter().flat_map(|folders| std::env::split_paths(folders)).collect::<Vec<_>>();
    // The folder of the plan has no separator, so it can be joined.
    let joined = std::env::join_paths([PathBuf::from(value)].into_iter().chain(folders));
    command.env(name, joined.unwrap_or_else(|_| value.into()));
}

/// Rejects a program name that contains whitespace and is not found, probably a shell line in one word. `is_known` returns
/// whether a revision has a file.
///
/// # Errors
/// [`Error::InvalidArgument`] with this argument if the program is not found.
pub(crate) fn check_words(
    argument: &str,
    command: &[String],
    env: &[(String, String)],
    is_known: impl Fn(&str) -> bool,
) -> Result<(), Error> {
    let Some(word) = command.first().filter(|word| word.trim().contains(char::is_whitespace)) else { return Ok(()) };
    let folders = path(env).unwrap_or_default();
    let is_found = |name: &str| match programs::is_path(name) {
        true => Path::new(name).is_file() || is_known(name),
        false => std::env::split_paths(&folders).any(|folder| folder.join(name).is_file()),
    };
    let first = word.split_whitespace().next().unwrap_or_default();
    if is_found(word) || programs::is_path(word) && !is_found(first) {
        return Ok(());
    }
    let expected = "a program and its arguments as separate words\nhelp: remove the quotes around them, or run the \
                    line in a shell with sh -c";
    Err(Error::invalid(argument, word, expected))
}

/// Explains in one line why a program could not be started. For a script, the error can be about the program in its first line.
pub(crate) fn reason(program: &str, folder: &Path, error: &io::Error) -> String {
    let missing = Some(program).filter(|_| error.kind() == io::ErrorKind::NotFound && programs::is_path(program));
    let script = missing.and_then(|program| files::open_regular(&folder.join(program)).ok());
    let mut start = Vec::new();
    let _ = script.map(|file| file.take(LONGEST_LINE).read_to_end(&mut start));
    match start.strip_prefix(b"#!").and_then(|rest| rest.split(|&byte| byte == b'\n').next()) {
        Some(line) => {
            format!("{program}: {error}: {:?}, in its first line", String::from_utf8_lossy(line).trim_matches(' '))
        }
        None => format!("{program}: {error}"),
    }
}

/// Returns the exit code that a shell uses for a program that could not be started, or `None` for other errors.
pub(crate) fn exit_code(error: &io::Error) -> Option<i32> {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Some(127),
        io::ErrorKind::PermissionDenied | io::ErrorKind::IsADirectory => Some(126),
        _ if programs::is_no_program(error) => Some(126),
        _ => None,
    }
}
