//! A helper process that ends our commands after this process has ended for any reason.
//!
//! On Unix, the helper is a shell that reads from a pipe. The system closes the pipe when this process ends, even after SIGKILL.
//! Linux can also send a signal when the parent dies, but it does so when the *thread* that started the command ends. On Windows,
//! no helper is needed: the system ends the processes in our jobs ([`groups`](crate::groups)).

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write as _};
use std::process::{Child, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The environment variable that marks all our commands and the processes that they start.
pub const VARIABLE: &str = "FIRSTBAD_RUN";

#[cfg(unix)]
const SCRIPT: &str = include_str!("watcher.sh");

/// The length of [`Watcher::marker`] in characters.
pub const MARKER_LENGTH: usize = 32;

/// How often to look for commands that were being started when this process ended.
const LOOKS: u32 = 5;

/// The helper process. It starts with the first command.
#[derive(Debug)]
pub struct Watcher {
    marker: String,
    shell: Mutex<Option<Child>>,
}

impl Default for Watcher {
    /// Returns a watcher with a new marker. Its process starts with [`Watcher::start`].
    fn default() -> Watcher {
        // `RandomState` takes its keys from the randomness of the system.
        let random = || RandomState::new().build_hasher().finish();
        Watcher { marker: format!("{:016x}{:016x}", random(), random()), shell: Mutex::new(None) }
    }
}

impl Watcher {
    /// Returns the prefix of [`VARIABLE`] in all our commands.
    pub fn marker(&self) -> &str {
        &self.marker
    }

    /// Returns the value of [`VARIABLE`] in the commands of one run.
    pub fn marker_of(&self, run: u64) -> String {
        format!("{}.{run}.", self.marker)
    }

    // No code panics while the lock is held, so a poisoned lock is still valid.
    fn shell(&self) -> MutexGuard<'_, Option<Child>> {
        self.shell.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the helper process unless it is running. If no shell can be started, the next start of firstbad ends the leftovers.
    pub fn start(&self) {
        let mut shell = self.shell();
        if shell.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None))) {
            *shell = shell_for(&self.marker, Stdio::piped(), LOOKS).ok();
        }
    }

    /// Watches a process group until the returned value is dropped. Drop the value as soon as the group has ended.
    pub fn watch(&self, group: i32) -> Watched<'_> {
        self.tell('+', group);
        Watched { watcher: self, group }
    }

    fn tell(&self, sign: char, group: i32) {
        // Writing to a closed pipe would kill programs that do not ignore SIGPIPE.
        if let Some(child) = self.shell().as_mut()
            && matches!(child.try_wait(), Ok(None))
            && let Some(pipe) = child.stdin.as_mut()
        {
            let _ = pipe.write_all(format!("{sign} {group}\n").as_bytes());
        }
    }

    /// Ends all remaining commands and the helper process, and waits for both.
    pub fn end(&self) {
        if let Some(mut shell) = self.shell().take() {
            if let Some(pipe) = shell.stdin.as_mut() {
                let _ = pipe.write_all(b"=\n");
            }
            // `wait` closes the pipe first.
            let _ = shell.wait();
        }
    }

    /// Closes the pipe in a forked child, whose commands are not watched.
    pub fn forked(&self) {
        // A thread that does not exist in the fork may hold the lock. Then the pipe stays open until the child ends.
        if let Ok(mut shell) = self.shell.try_lock() {
            drop(shell.take());
        }
    }
}

/// A process group that the watcher knows.
#[derive(Debug)]
pub struct Watched<'a> {
    watcher: &'a Watcher,
    group: i32,
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.watcher.tell('-', self.group);
    }
}

/// Ends all processes of this user whose [`VARIABLE`] starts with `marker`. Needs `/proc` to read environments.
pub fn end_marked(marker: &str) {
    // Without a shell, the processes cannot be found.
    let _ = shell_for(marker, Stdio::null(), 1).and_then(|mut shell| shell.wait());
}

#[cfg(windows)]
fn shell_for(_: &str, _: Stdio, _: u32) -> io::Result<Child> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn shell_for(marker: &str, input: Stdio, looks: u32) -> io::Result<Child> {
    use std::os::unix::process::CommandExt as _;

    let mut command = std::process::Command::new("/bin/sh");
    // A separate group, so that killing our group or an oracle does not end the helper.
    command.args(["-c", SCRIPT, "firstbad-watcher", marker, &looks.to_string()]);
    command.process_group(0).current_dir("/").env_remove(VARIABLE);
    crate::programs::start(command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null()))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    /// A process that appears only after the helper starts to look, like one that was being started when firstbad was killed.
    #[test]
    fn processes_that_appear_late_are_ended() {
        let watcher = Watcher::default();
        let mut late = Command::new("/bin/sh");
        late.args(["-c", "sleep 0.2; FIRSTBAD_RUN=$0 exec sleep 600", watcher.marker()]);
        let mut late = late.spawn().unwrap();
        let ended = shell_for(watcher.marker(), Stdio::null(), 200).unwrap().wait().unwrap();
        let seen = late.try_wait().unwrap();
        late.kill().unwrap();
        late.wait().unwrap();
        assert!(ended.success());
        assert_eq!(seen.and_then(|status| status.code()), None);
        assert!(seen.is_some(), "it still runs");
    }
}
