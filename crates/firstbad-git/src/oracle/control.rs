//! Interrupting runs from another thread.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use firstbad::Error;

/// How long a process that is about to exit waits for those that it has killed.
const LAST_WAIT: Duration = Duration::from_millis(250);

/// What a run waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// The process that was started last has ended.
    Exited,
    /// Something changed: look whether to go on.
    Wake,
}

/// Which runs are under way, and whether further ones may begin.
#[derive(Debug, Default)]
pub(super) struct Control {
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
}

/// A run that is under way; it is over when this is dropped.
#[derive(Debug)]
pub(super) struct ActiveRun<'a> {
    control: &'a Control,
    number: u64,
    round: u64,
    pub(super) sender: Sender<Event>,
    pub(super) events: Receiver<Event>,
}

impl Control {
    // Nothing can panic while the lock is held, so a poisoned one is as good.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// # Errors
    /// [`Error::Interrupted`] after [`Control::interrupt`] and before [`Control::resume`], and for ever after
    /// [`Control::close`].
    pub(super) fn enter(&self) -> Result<ActiveRun<'_>, Error> {
        let mut state = self.state();
        if state.stopped || state.closed {
            return Err(Error::Interrupted);
        }
        let (sender, events) = channel();
        let (number, round) = (state.next, state.round);
        state.next += 1;
        state.running.insert(number, sender.clone());
        Ok(ActiveRun { control: self, number, round, sender, events })
    }

    pub(super) fn interrupt(&self) {
        let mut state = self.state();
        state.stopped = true;
        state.round += 1;
        for sender in state.running.values() {
            // A run that is just ending hears nothing any more.
            let _ = sender.send(Event::Wake);
        }
    }

    /// Interrupts for good, kills processes at once, and waits at most [`LAST_WAIT`] until no run is left.
    pub(super) fn kill(&self) {
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

    pub(super) fn resume(&self) {
        self.state().stopped = false;
    }

    /// Interrupts for good and waits until no run is left.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.interrupt();
        let mut state = self.state();
        while !state.running.is_empty() {
            state = self.idle.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl ActiveRun<'_> {
    /// Whether this run was interrupted.
    pub(super) fn stopped(&self) -> bool {
        self.control.state().round != self.round
    }

    /// Whether its processes are to be killed at once.
    pub(super) fn killed(&self) -> bool {
        self.control.state().killed
    }
}

impl Drop for ActiveRun<'_> {
    fn drop(&mut self) {
        self.control.state().running.remove(&self.number);
        self.control.idle.notify_all();
    }
}
