//! Programs: finding, starting, and how they ended.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

mod names;
mod starting;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use names::{is_path, is_search_path};
pub use starting::{start, written};
#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// Returns a command that runs `program`. A program with a slash is relative to `folder`. Any other program is searched in
/// `path`, the `PATH` of the command.
///
/// On Unix, a program with a slash can be a script without a `#!` line, which `/bin/sh` then runs. On Windows, the extensions in
/// `PATHEXT` are tried, so `npx` finds `npx.cmd`.
#[must_use]
pub fn command(program: &str, path: Option<&OsStr>, folder: &Path) -> Command {
    system::command(program, path, folder)
}

/// Returns the `PATH` of this process.
#[must_use]
pub fn usual_path() -> Option<OsString> {
    std::env::var_os("PATH")
}

/// Returns a command that runs `line` in the shell of the system: `/bin/sh -c`, and on Windows `cmd /c`.
#[must_use]
pub fn shell(line: &str) -> Command {
    system::shell(line)
}

/// Returns whether an error means that a file is not a program for this machine.
#[must_use]
pub fn is_no_program(error: &io::Error) -> bool {
    error.raw_os_error() == Some(system::NO_PROGRAM)
}

/// Returns the number of the signal that ended a process. Always `None` on Windows.
#[must_use]
pub fn signal(status: ExitStatus) -> Option<i32> {
    system::signal(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_with_a_slash_is_relative_to_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let own = command("./check", None, folder.path());
        assert_eq!(Path::new(own.get_program()), folder.path().join("./check"));
        assert!(is_path("a/b") && !is_path("npx"));
        assert_eq!(command("no-such-program", usual_path().as_deref(), folder.path()).get_program(), "no-such-program");
    }

    #[cfg(unix)]
    #[test]
    fn a_script_without_a_first_line_runs_in_a_shell() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let started = |text: &[u8], mode: u32| {
            let path = folder.path().join("check");
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            start(command("./check", None, folder.path()).arg("7")).map(|mut child| child.wait().unwrap().code())
        };
        assert_eq!(started(b"exit $1\n", 0o700).unwrap(), Some(7));
        assert_eq!(started(b"exit $1\n", 0o600).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert!(is_no_program(&started(b"", 0o700).unwrap_err()));
        assert!(is_no_program(&started(b"\x7fELF\0 for another machine", 0o700).unwrap_err()));
    }

    #[test]
    fn signals_differ_from_exit_codes() {
        let status = shell("exit 3").status().unwrap();
        assert_eq!((status.code(), signal(status)), (Some(3), None));
        #[cfg(unix)]
        assert_eq!(signal(shell("kill -s TERM $$").status().unwrap()), Some(15));
    }

    #[test]
    fn the_shell_gets_the_line_unchanged() {
        let printed = shell("echo one&& echo \"two three\"").output().unwrap().stdout;
        let printed = String::from_utf8(printed).unwrap().replace('"', "");
        assert_eq!(printed.lines().map(str::trim_end).collect::<Vec<_>>(), ["one", "two three"]);
    }

    #[cfg(windows)]
    #[test]
    fn extensions_of_programs_are_tried() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tool.cmd"), "@exit /b %1\r\n").unwrap();
        for (program, path) in [("tool", Some(folder.path().as_os_str())), ("./tool", None), (".\\tool.cmd", None)] {
            let mut found = command(program, path, folder.path());
            assert_eq!(found.arg("7").status().unwrap().code(), Some(7), "{program}: {found:?}");
        }
    }
}
