//! A process beside ours that ends our commands once we are gone, in whatever way that came about.
//!
//! On Unix systems it is a shell that reads from a pipe of which we hold the only other end: the system closes that with our last thread,
//! also after SIGKILL. (A signal at the parent's death, as Linux has it, comes with the end of the *thread* that
//! started a command, and threads of a driver come and go.) On Windows nobody has to watch: the system itself ends what belongs
//! to a job of ours ([`groups`](crate::groups)).

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write as _};
use std::process::{Child, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The variable that all our commands have in their environment, and what they start inherits.
pub const VARIABLE: &str = "FIRSTBAD_RUN";

#[cfg(unix)]
const SCRIPT: &str = include_str!("watcher.sh");

/// How many characters [`Watcher::marker`] has.
pub const MARKER_LENGTH: usize = 32;

/// How often it looks for what was just being started when we went: processes appear within milliseconds.
const LOOKS: u32 = 5;

/// The process, from the first command on.
#[derive(Debug)]
pub struct Watcher {
    marker: String,
    shell: Mutex<Option<Child>>,
}

impl Default for Watcher {
    /// A watcher with a new marker. Its process starts with [`Watcher::start`].
    fn default() -> Watcher {
        // The keys of these are the system's randomness.
        let random = || RandomState::new().build_hasher().finish();
        Watcher { marker: format!("{:016x}{:016x}", random(), random()), shell: Mutex::new(None) }
    }
}

impl Watcher {
    /// What [`VARIABLE`] begins with in every command of ours.
    pub fn marker(&self) -> &str {
        &self.marker
    }

    /// The value of [`VARIABLE`] in the commands of one run.
    pub fn marker_of(&self, run: u64) -> String {
        format!("{}.{run}.", self.marker)
    }

    // Nothing can panic while the lock is held, so a poisoned one is as good.
    fn shell(&self) -> MutexGuard<'_, Option<Child>> {
        self.shell.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes sure that somebody watches. Where no shell can be started nobody does: what we leave behind is then ended
    /// by the next start.
    pub fn start(&self) {
        let mut shell = self.shell();
        if shell.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None))) {
            *shell = shell_for(&self.marker, Stdio::piped(), LOOKS).ok();
        }
    }

    /// Has a process group watched until what this returns is dropped, as soon as the group has ended.
    pub fn watch(&self, group: i32) -> Watched<'_> {
        self.tell('+', group);
        Watched { watcher: self, group }
    }

    fn tell(&self, sign: char, group: i32) {
        // A pipe that nobody reads is no reason to fail, and some programs die of it.
        if let Some(child) = self.shell().as_mut()
            && matches!(child.try_wait(), Ok(None))
            && let Some(pipe) = child.stdin.as_mut()
        {
            let _ = pipe.write_all(format!("{sign} {group}\n").as_bytes());
        }
    }

    /// Ends all that is left of our commands, and the watcher itself. Returns when that is done.
    pub fn end(&self) {
        if let Some(mut shell) = self.shell().take() {
            if let Some(pipe) = shell.stdin.as_mut() {
                let _ = pipe.write_all(b"=\n");
            }
            // It closes the pipe first.
            let _ = shell.wait();
        }
    }

    /// Lets go of the pipe: this process is a fork of the one whose commands are watched.
    pub fn forked(&self) {
        // Held by a thread that the fork left behind: then the pipe stays open until this process ends.
        if let Ok(mut shell) = self.shell.try_lock() {
            drop(shell.take());
        }
    }
}

/// A process group that the watcher knows of.
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

/// Ends all processes of this user that have a value in [`VARIABLE`] that begins like this, where the system lets us see
/// environments (`/proc`).
pub fn end_marked(marker: &str) {
    // Without a shell they are not found.
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
    // In a group of its own, so that what ends ours leaves it alone, as does an oracle in whose command we run.
    command.args(["-c", SCRIPT, "firstbad-watcher", marker, &looks.to_string()]);
    command.process_group(0).current_dir("/").env_remove(VARIABLE);
    crate::programs::start(command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null()))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    /// A process that shows only after the watcher has begun to look, as one does that is being started when we are killed.
    #[test]
    fn what_shows_only_after_the_end_is_ended() {
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
