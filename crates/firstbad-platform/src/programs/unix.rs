//! Programs on Unix.

use std::ffi::OsStr;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, ExitStatus};

use super::names::is_path;
use crate::files;

/// `ENOEXEC`: a program for another machine, or an empty file.
pub(super) const NO_PROGRAM: i32 = 8;

pub(super) fn command(program: &str, _: Option<&OsStr>, folder: &Path) -> Command {
    if !is_path(program) {
        return Command::new(program);
    }
    let path = folder.join(program);
    if is_for_shell(&path) {
        let mut command = Command::new("/bin/sh");
        command.arg(path);
        return command;
    }
    let mut command = Command::new(path);
    command.arg0(program);
    command
}

/// Returns whether a file is an executable script without a `#!` line. The system cannot run such a script, but shells can.
fn is_for_shell(path: &Path) -> bool {
    let mut start = [0; 128];
    let Ok(mut file) = files::open_regular(path) else { return false };
    let is_executable = file.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 != 0);
    let Ok(length) = file.read(&mut start) else { return false };
    is_executable && length > 0 && !start.starts_with(b"#!") && !start[..length].contains(&0)
}

pub(super) fn shell(line: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line]);
    command
}

pub(super) fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}
