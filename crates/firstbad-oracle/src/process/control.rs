//! Interrupts runs from other threads.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use firstbad::Error;
use firstbad_platform::leftovers::watcher::{self, Watched, Watcher};

/// The maximum wait for killed processes before this process exits.
const LAST_WAIT: Duration = Duration::from_millis(250);

/// An event that a run waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// The leader of the current process group has exited.
    Exited,
    /// The state changed, so the run must check whether to continue.
    Wake,
}

/// The current runs, and whether new runs can start.
#[derive(Debug)]
pub(crate) struct Control {
    /// The process that created this value. A fork has none of its threads, and its locks may stay locked.
    process: u32,
    watcher: Watcher,
    state: Mutex<State>,
    idle: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    closed: bool,
    /// Whether to kill processes immediately.
    killed: bool,
    /// The number of interrupts, so a run ends even if `resume` follows immediately.
    round: u64,
    next: u64,
    running: HashMap<u64, Sender<Event>>,
    /// The start of the commands of each run that has finished its preparation.
    testing: HashMap<u64, Instant>,
}

/// A current run. Dropping it ends the run.
#[derive(Debug)]
pub(crate) struct ActiveRun<'a> {
    control: &'a Control,
    number: u64,
    round: u64,
    pub(crate) sender: Sender<Event>,
    pub(crate) events: Receiver<Event>,
}

impl Control {
    pub(crate) fn new() -> Control {
        let (state, idle) = (Mutex::default(), Condvar::new());
        Control { process: std::process::id(), watcher: Watcher::default(), state, idle }
    }

    /// The marker in the environment of every command, which identifies its processes.
    pub(crate) fn marker(&self) -> &str {
        self.watcher.marker()
    }

    /// Returns whether this process is a fork of the one that created this value.
    pub(crate) fn is_fork(&self) -> bool {
        self.process != std::process::id()
    }

    /// Leaves the commands to the parent process.
    pub(crate) fn forked(&self) {
        if self.is_fork() {
            self.watcher.forked();
        }
    }

    // No code panics while it holds the lock, so a poisoned lock is valid.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// # Errors
    /// [`Error::Interrupted`] after [`Control::interrupt`] until [`Control::resume`], [`Error::OracleClosed`] after
    /// [`Control::close`], and [`Error::InvalidArgument`] in a fork.
    pub(crate) fn enter(&self) -> Result<ActiveRun<'_>, Error> {
        if self.is_fork() {
            let made = format!("one created by process {}", self.process);
            return Err(Error::InvalidArgument {
                argument: "the command oracle".to_owned(),
                value: made,
                expected: "one created in this process, because a fork needs a new one".to_owned(),
            });
        }
        let mut state = self.state();
        if state.closed {
            return Err(Error::OracleClosed);
        }
        if state.stopped {
            return Err(Error::Interrupted);
        }
        let (sender, events) = channel();
        let (number, round) = (state.next, state.round);
        state.next += 1;
        state.running.insert(number, sender.clone());
        Ok(ActiveRun { control: self, number, round, sender, events })
    }

    /// Returns how long all runs have been executing commands, or `None` if there are no runs or one is being prepared.
    pub(crate) fn testing_for(&self) -> Option<Duration> {
        let state = self.state();
        let are_all = state.testing.len() == state.running.len();
        state.testing.values().max().filter(|_| are_all).map(Instant::elapsed)
    }

    pub(crate) fn interrupt(&self) {
        if self.is_fork() {
            return;
        }
        let mut state = self.state();
        state.stopped = true;
        state.round += 1;
        for sender in state.running.values() {
            // A run that is just ending no longer receives events.
            let _ = sender.send(Event::Wake);
        }
    }

    /// Interrupts all runs permanently, kills their processes, and waits at most [`LAST_WAIT`] until they have ended.
    pub(crate) fn kill(&self) {
        if self.is_fork() {
            return;
        }
        {
            let mut state = self.state();
            (state.closed, state.killed) = (true, true);
        }
        self.interrupt();
        let deadline = Instant::now() + LAST_WAIT;
        let mut state = self.state();
        while !state.running.is_empty() && Instant::now() < deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            state = self.idle.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub(crate) fn resume(&self) {
        if !self.is_fork() {
            self.state().stopped = false;
        }
    }

    /// Interrupts all runs permanently, waits until they have ended, and kills processes in other groups.
    pub(crate) fn close(&self) {
        if self.is_fork() {
            return;
        }
        self.state().closed = true;
        self.interrupt();
        let mut state = self.state();
        while !state.running.is_empty() {
            state = self.idle.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        self.watcher.end();
    }
}

impl ActiveRun<'_> {
    /// Returns the marker in the environment of the commands, and starts the watcher.
    pub(crate) fn marker(&self) -> String {
        self.control.watcher.start();
        self.control.watcher.marker_of(self.number)
    }

    /// Records that the commands of this run start.
    pub(crate) fn testing(&self) {
        self.control.state().testing.insert(self.number, Instant::now());
    }

    /// Ties a process group to the lifetime of this process until the result is dropped.
    pub(crate) fn watch(&self, group: i32) -> Watched<'_> {
        self.control.watcher.watch(group)
    }

    /// Kills the processes of the commands in other groups.
    pub(crate) fn end_marked(&self) {
        watcher::end_marked(&self.control.watcher.marker_of(self.number));
    }

    /// Returns whether this run was interrupted.
    pub(crate) fn stopped(&self) -> bool {
        self.control.state().round != self.round
    }

    /// Returns whether its processes must be killed immediately.
    pub(crate) fn killed(&self) -> bool {
        self.control.state().killed
    }
}

impl Drop for ActiveRun<'_> {
    fn drop(&mut self) {
        {
            let mut state = self.control.state();
            state.running.remove(&self.number);
            state.testing.remove(&self.number);
        }
        self.control.idle.notify_all();
    }
}
