//! Programs of Unix systems.

use std::ffi::OsStr;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, ExitStatus};

use super::names::is_path;

/// `ENOEXEC`: a script without its first line, or a program for another machine.
pub(super) const NO_PROGRAM: i32 = 8;

pub(super) fn command(program: &str, _: Option<&OsStr>, folder: &Path) -> Command {
    if !is_path(program) {
        return Command::new(program);
    }
    let mut command = Command::new(folder.join(program));
    command.arg0(program);
    command
}

pub(super) fn shell(line: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line]);
    command
}

pub(super) fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}
