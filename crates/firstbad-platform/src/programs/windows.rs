//! Programs on Windows.

use std::ffi::OsStr;
use std::os::windows::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus};

use super::names::is_path;

/// `ERROR_BAD_EXE_FORMAT`: a script, or a program for another machine.
pub(super) const NO_PROGRAM: i32 = 193;

/// The standard library tries only the extension `.exe`. It quotes the arguments of batch files, and rejects arguments that
/// cannot be quoted.
pub(super) fn command(program: &str, path: Option<&OsStr>, folder: &Path) -> Command {
    let named = if is_path(program) { folder.join(program) } else { program.into() };
    Command::new(which::which_in(&named, path, folder).unwrap_or(named))
}

/// `cmd` passes on everything between the outer quotes without change.
pub(super) fn shell(line: &str) -> Command {
    let mut command = Command::new("cmd");
    command.args(["/d", "/s", "/c"]).raw_arg(format!("\"{line}\""));
    command
}

pub(super) fn signal(_: ExitStatus) -> Option<i32> {
    None
}
