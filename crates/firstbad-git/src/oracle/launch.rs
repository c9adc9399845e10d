//! Starting the command under test in its work tree.

use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{environment, signals};
use crate::git;

/// What a command is told of the run that it is part of.
pub(super) struct Surroundings<'a> {
    pub(super) tree: &'a Path,
    pub(super) revision: &'a str,
    pub(super) patch: Option<&'a Path>,
    pub(super) output: &'a Path,
    pub(super) repository: &'a Path,
    /// Whether the work tree has just been made.
    pub(super) new: bool,
    pub(super) env: &'a [(String, String)],
}

/// The command, ready to start: in the work tree, without input, with all its output in `log`.
pub(super) fn command(words: &[String], around: &Surroundings<'_>, log: &File) -> io::Result<Command> {
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let tree = around.tree;
    let mut command = Command::new(program_path(program, tree));
    command.arg0(program).args(arguments).current_dir(tree);
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
        .env("FIRSTBAD_NEW_WORKTREE", if around.new { "1" } else { "0" });
    if let Some(patch) = around.patch {
        command.env("FIRSTBAD_PATCH", patch);
    }
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
    Ok(command)
}

/// A program with a slash in its name is one of the revision's; others are searched for in `PATH`.
fn program_path(program: &str, tree: &Path) -> PathBuf {
    if program.contains('/') { tree.join(program) } else { PathBuf::from(program) }
}

/// The exit code that a shell has for a program that could not be started; `None` for other errors.
pub(super) fn exit_code(error: &io::Error) -> Option<i32> {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Some(127),
        io::ErrorKind::PermissionDenied | io::ErrorKind::IsADirectory => Some(126),
        // No program at all: a script without its first line, or one for another machine.
        _ if error.raw_os_error() == Some(8) => Some(126),
        _ => None,
    }
}
