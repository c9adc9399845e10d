//! Revisions that are ready to be tested, as reported by a command of the user.

use std::io::Read as _;
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

use firstbad::Error;
use firstbad_git::{Repository, git};
use firstbad_platform::programs;

use crate::process::control::Control;
use crate::process::group::{Ended, HURRIED_GRACE, Limits, POLL, supervise};

/// The maximum bytes to read from the command: 400,000 ids of 40 digits.
const MOST_BYTES: u64 = 1 << 24;

/// The maximum wait for the rest of the output after the command has ended, because its child processes can keep the output open.
const REST: Duration = Duration::from_secs(1);

const EXPECTED: &str =
    "a shell command that prints the full ids of the revisions that are ready, one a line, and ends with 0";

/// Runs a command that lists the revisions with cheaper tests, such as those with an existing build, and returns their full ids.
///
/// The command prints one id per line. Other lines are ignored. `/bin/sh -c` (`cmd /c` on Windows) runs the command in
/// [`Repository::path`] without input. Its standard error is that of this process, and it ends with this process.
///
/// # Errors
/// - [`Error::InvalidArgument`] for `command` if it does not exit with 0, exceeds `timeout`, or prints more than 16 MiB.
/// - [`Error::Io`] if the shell cannot be started.
pub fn ready_revisions(repository: &Repository, command: &str, timeout: Duration) -> Result<Vec<String>, Error> {
    let starting = |error: &std::io::Error| git::io("starting the shell", error);
    let (output, input) = std::io::pipe().map_err(|error| starting(&error))?;
    let mut shell = programs::shell(command);
    shell.current_dir(repository.path()).stdin(Stdio::null()).stdout(input);
    for name in git::REDIRECTING {
        shell.env_remove(name);
    }
    let (sender, printed) = channel();
    // The thread ends with the pipe. It stops reading at the limit, which ends the command.
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = output.take(MOST_BYTES + 1).read_to_end(&mut bytes).map(|_| bytes);
        let _ = sender.send(read);
    });
    let control = Control::new();
    let finished = {
        let active = control.enter()?;
        let (timeout, grace) = (Some(timeout), HURRIED_GRACE);
        let limits = Limits { active: &active, keep_going: &mut || true, timeout, grace, poll: POLL };
        supervise(&mut shell, limits, |_| Ok(()))
    };
    control.close();
    let finished = finished.map_err(|error| starting(&error))?;
    // Closes our end of the pipe.
    drop(shell);
    let refused = |what: String| Error::InvalidArgument {
        argument: "command".to_owned(),
        value: format!("{command:?}, which {what},"),
        expected: EXPECTED.to_owned(),
    };
    let printed = match printed.recv_timeout(REST) {
        Ok(Ok(bytes)) => Some(bytes),
        Ok(Err(_)) | Err(_) => None,
    };
    if printed.as_ref().is_some_and(|bytes| bytes.len() as u64 > MOST_BYTES) {
        return Err(refused(format!("prints more than {MOST_BYTES} bytes")));
    }
    match finished.ended {
        Ended::Exited(status) if !status.success() => Err(refused(format!("ended with {status}"))),
        Ended::TimedOut | Ended::Interrupted => {
            Err(refused(format!("did not finish within {} s", timeout.as_secs_f64())))
        }
        Ended::Exited(_) => {
            let printed = printed.ok_or_else(|| refused("leaves its output open".to_owned()))?;
            Ok(ids(&String::from_utf8_lossy(&printed)))
        }
    }
}

/// Returns the lines that are full ids.
fn ids(text: &str) -> Vec<String> {
    let is_id = |line: &&str| matches!(line.len(), 40 | 64) && line.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.lines().map(str::trim).filter(is_id).map(str::to_ascii_lowercase).collect()
}
