//! Which revisions are ready to be tested, by a command of the caller.

use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use firstbad::Error;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::git;
use crate::repository::Repository;

/// The most bytes that are read of what the command prints: 400,000 ids of 40 digits.
const MOST_BYTES: u64 = 1 << 24;

/// How often it is looked whether a command has ended that prints nothing more.
const LOOK: Duration = Duration::from_millis(10);

const EXPECTED: &str =
    "a shell command that prints the full ids of the revisions that are ready, one a line, and ends with 0";

impl Repository {
    /// The full ids that a command prints, one a line: of revisions whose test costs less, because a build of them is there.
    /// Other lines are left out. The command is run by `/bin/sh -c` in [`Repository::path`], without input; its error output
    /// is the caller's.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] about `command` for one that does not end with 0, does not end in time, or prints more
    /// than 16 MiB; [`Error::Io`] if no shell can be started.
    pub fn ready(&self, command: &str, timeout: Duration) -> Result<Vec<String>, Error> {
        let deadline = Instant::now() + timeout;
        let mut shell = Command::new("/bin/sh");
        // In a group of its own, which can be ended as a whole.
        shell.args(["-c", command]).current_dir(self.path()).process_group(0);
        for name in git::REDIRECTING {
            shell.env_remove(name);
        }
        let child = shell.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut running = Running(child.map_err(|error| git::io("starting /bin/sh", &error))?);
        let refused = |what: String| Error::InvalidArgument {
            argument: "command".to_owned(),
            value: format!("{command:?}, which {what},"),
            expected: EXPECTED.to_owned(),
        };
        let late = || refused(format!("did not end within {} s", timeout.as_secs_f64()));
        let printed = running.printed(deadline).map_err(|timed_out| match timed_out {
            RecvTimeoutError::Timeout => late(),
            RecvTimeoutError::Disconnected => refused("printed what cannot be read".to_owned()),
        })?;
        if printed.len() as u64 > MOST_BYTES {
            return Err(refused(format!("prints more than {MOST_BYTES} bytes")));
        }
        match running.ended(deadline) {
            None => Err(late()),
            Some(status) if !status.success() => Err(refused(format!("ended with {status}"))),
            Some(_) => {
                let text = String::from_utf8_lossy(&printed);
                let is_id =
                    |line: &&str| matches!(line.len(), 40 | 64) && line.bytes().all(|byte| byte.is_ascii_hexdigit());
                Ok(text.lines().map(str::trim).filter(is_id).map(str::to_ascii_lowercase).collect())
            }
        }
    }
}

/// A command that is ended, with all that it has started, when nobody waits for it any more.
struct Running(Child);

impl Running {
    /// What it prints, up to a byte more than may be.
    fn printed(&mut self, deadline: Instant) -> Result<Vec<u8>, RecvTimeoutError> {
        let (sender, receiver) = channel();
        let output = self.0.stdout.take();
        // It ends with the pipe, which the command and all that it has started hold.
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if output.is_some_and(|output| output.take(MOST_BYTES + 1).read_to_end(&mut bytes).is_ok()) {
                let _ = sender.send(bytes);
            }
        });
        receiver.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    }

    /// How it ended; `None` if it did not in time.
    fn ended(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.0.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(LOOK),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            if let Some(group) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(group, Signal::KILL);
            }
            let _ = self.0.wait();
        }
    }
}
