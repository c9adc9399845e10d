//! Starting the command under test in its work tree.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use firstbad_platform::programs;

use super::{environment, job, signals};
use crate::git;

/// What a command is told of the run that it is part of.
pub(super) struct Surroundings<'a> {
    pub(super) tree: &'a Path,
    pub(super) revision: &'a str,
    pub(super) patch: Option<&'a Path>,
    pub(super) output: &'a Path,
    pub(super) repository: &'a Path,
    /// Which of the runs at the same time it is.
    pub(super) job: usize,
    /// Whether the work tree has just been made.
    pub(super) new: bool,
    pub(super) env: &'a [(String, String)],
}

/// `PATH` as a command with these variables has it.
pub(super) fn path(env: &[(String, String)]) -> Option<OsString> {
    let given = env.iter().rev().find(|(name, _)| programs::is_search_path(name));
    given.map(|(_, path)| OsString::from(path)).or_else(programs::usual_path)
}

/// The command, ready to start: in the work tree, without input, with all its output in `log`. A program with a slash in its
/// name is one of the revision's; others are searched for in `path`.
pub(super) fn command(
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
    // Many programs believe it rather than asking the system.
    command.env("PWD", tree);
    // We may run in a command of another oracle.
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

/// Why a program could not be started in a folder, in a line.
pub(super) fn reason(program: &str, folder: &Path, error: &io::Error) -> String {
    let is_there = programs::is_path(program) && folder.join(program).is_file();
    if error.kind() == io::ErrorKind::NotFound && is_there {
        return format!("{program}: the program that its first line names is not there; lines must not end in \\r\\n");
    }
    format!("{program}: {error}")
}

/// The exit code that a shell has for a program that could not be started; `None` for other errors.
pub(super) fn exit_code(error: &io::Error) -> Option<i32> {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Some(127),
        io::ErrorKind::PermissionDenied | io::ErrorKind::IsADirectory => Some(126),
        _ if programs::is_no_program(error) => Some(126),
        _ => None,
    }
}
