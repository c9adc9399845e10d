//! Interrupting runs from another thread.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use firstbad::Error;
use firstbad_platform::leftovers::watcher::{self, Watched, Watcher};

/// How long a process that is about to exit waits for those that it has killed.
const LAST_WAIT: Duration = Duration::from_millis(250);

/// What a run waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// The process that was started last has ended.
    Exited,
    /// Something changed: look whether to go on.
    Wake,
}

/// Which runs are under way, and whether further ones may begin.
#[derive(Debug)]
pub(crate) struct Control {
    /// The process that made it: forks have none of its threads, and perhaps locks that nobody will open again.
    process: u32,
    watcher: Watcher,
    state: Mutex<State>,
    idle: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    closed: bool,
    /// Whether processes have no time left to end by themselves.
    killed: bool,
    /// Grows with every interrupt, so that a run ends even when `resume` follows before it noticed.
    round: u64,
    next: u64,
    running: HashMap<u64, Sender<Event>>,
    /// Since when runs are at their commands, all else being done.
    testing: HashMap<u64, Instant>,
}

/// A run that is under way; it is over when this is dropped.
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

    /// What is in the environment of every command, to find them by.
    pub(crate) fn marker(&self) -> &str {
        self.watcher.marker()
    }

    /// Whether this process is a fork of the one that made this.
    pub(crate) fn is_fork(&self) -> bool {
        self.process != std::process::id()
    }

    /// Leaves the commands to the process that this one was forked from.
    pub(crate) fn forked(&self) {
        if self.is_fork() {
            self.watcher.forked();
        }
    }

    // Nothing can panic while the lock is held, so a poisoned one is as good.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// # Errors
    /// [`Error::Interrupted`] after [`Control::interrupt`] and before [`Control::resume`]; [`Error::OracleClosed`] after
    /// [`Control::close`]; [`Error::InvalidArgument`] in a fork.
    pub(crate) fn enter(&self) -> Result<ActiveRun<'_>, Error> {
        if self.is_fork() {
            let made = format!("one made by process {}", self.process);
            return Err(Error::InvalidArgument {
                argument: "the command oracle".to_owned(),
                value: made,
                expected: "one made in this process: a fork makes its own".to_owned(),
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

    /// For how long all runs have been at their commands, and none prepares its work tree; `None` if there are none.
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
            // A run that is just ending hears nothing any more.
            let _ = sender.send(Event::Wake);
        }
    }

    /// Interrupts for good, kills processes at once, and waits at most [`LAST_WAIT`] until no run is left.
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

    /// Interrupts for good, waits until no run is left, and ends what their commands left behind elsewhere.
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
    /// What its commands have in their environment, once somebody watches over them.
    pub(crate) fn marker(&self) -> String {
        self.control.watcher.start();
        self.control.watcher.marker_of(self.number)
    }

    /// Says that its commands begin.
    pub(crate) fn testing(&self) {
        self.control.state().testing.insert(self.number, Instant::now());
    }

    /// Has a process group ended with this process, until what this returns is dropped.
    pub(crate) fn watch(&self, group: i32) -> Watched<'_> {
        self.control.watcher.watch(group)
    }

    /// Ends what its commands have left in other groups.
    pub(crate) fn end_marked(&self) {
        watcher::end_marked(&self.control.watcher.marker_of(self.number));
    }

    /// Whether this run was interrupted.
    pub(crate) fn stopped(&self) -> bool {
        self.control.state().round != self.round
    }

    /// Whether its processes are to be killed at once.
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
