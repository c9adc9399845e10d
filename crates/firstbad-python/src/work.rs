//! The two functions that enter the core. [`brief`] keeps the interpreter's lock (the GIL). [`released`] releases it and checks
//! signals.
//!
//! Brief work without a lock of the core is a plain call.

#![allow(clippy::missing_const_for_thread_local, reason = "it is const, which clippy 1.97 does not see for Windows")]

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::Thread;
use std::time::{Duration, Instant};

use firstbad::Error;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::errors::{OrRaise, internal};

/// The number of revisions from which work on a graph can be long.
pub(crate) const LARGE: usize = 4096;

/// The number of items from which work on sets is long.
pub(crate) const MANY: usize = 1 << 20;

/// The maximum delay of a signal handler.
pub(crate) const SLICE: Duration = Duration::from_millis(40);

/// How long a thread spins before it sleeps. Waking a thread takes about ten microseconds, and a spinning thread reacts in less
/// than one. Does not spin on a single processor.
static AWAKE: LazyLock<Duration> = LazyLock::new(|| {
    let several = std::thread::available_parallelism().is_ok_and(|processors| processors.get() > 1);
    Duration::from_micros(if several { 100 } else { 0 })
});

type Job = Box<dyn FnOnce() + Send>;

/// A thread that executes jobs in order until it is dropped and its last job is done.
struct Helper {
    jobs: Sender<Job>,
    /// The process of the thread, because a fork does not copy threads.
    process: u32,
}

thread_local! {
    /// The idle helper of this thread. It is thread-local, so a fork cannot find it locked.
    static IDLE: RefCell<Option<Helper>> = const { RefCell::new(None) };
}

impl Helper {
    /// Returns the helper of this thread, or a new one.
    fn take() -> Result<Helper, Error> {
        match IDLE.take() {
            Some(helper) if helper.process == std::process::id() => return Ok(helper),
            // The old helper may hold locks forever in a forked process, so it is not dropped.
            Some(left_behind) => std::mem::forget(left_behind),
            None => {}
        }
        let (jobs, given) = channel::<Job>();
        std::thread::Builder::new()
            .name("firstbad".to_owned())
            .spawn(move || {
                while let Some(job) = next(&given) {
                    job();
                }
            })
            .map_err(|error| Error::Io { action: "starting a thread".into(), message: error.to_string() })?;
        Ok(Helper { jobs, process: std::process::id() })
    }
}

/// Returns the next job, or `None` at the end.
fn next(given: &Receiver<Job>) -> Option<Job> {
    let mut job = given.try_recv().ok();
    awake_until(|| {
        job = job.take().or_else(|| given.try_recv().ok());
        job.is_some()
    });
    job.or_else(|| given.recv().ok())
}

/// Spins for a limited time until `done` returns true.
fn awake_until(mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() && start.elapsed() < *AWAKE {
        std::hint::spin_loop();
    }
}

/// The result of work, shared by the working thread and the waiting thread.
struct Handover<T, L> {
    state: Mutex<State<T, L>>,
    /// Whether the work is over.
    over: AtomicBool,
    waiting: Thread,
}

enum State<T, L> {
    /// Also contains the function for a value that arrives too late.
    Awaited(L),
    Done(T, L),
    /// The work panicked, or its value was taken.
    Gone,
    /// The waiting thread has left.
    Abandoned(L),
}

impl<T, L: FnOnce(T)> Handover<T, L> {
    fn replace(&self, next: impl FnOnce(State<T, L>) -> (State<T, L>, Option<(T, L)>)) {
        // No code panics while it holds the lock, so a poisoned lock is valid.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (now, late) = next(std::mem::replace(&mut *state, State::Gone));
        *state = now;
        drop(state);
        if let Some((value, too_late)) = late {
            too_late(value);
        }
    }

    /// Stores a value, or `None` if the work panicked.
    fn give(&self, value: Option<T>) {
        self.replace(|state| match (state, value) {
            (State::Awaited(too_late), Some(value)) => (State::Done(value, too_late), None),
            (State::Abandoned(too_late), Some(value)) => (State::Gone, Some((value, too_late))),
            _ => (State::Gone, None),
        });
        self.over.store(true, Ordering::Release);
        self.waiting.unpark();
    }

    /// Stops waiting.
    fn abandon(&self) {
        self.replace(|state| match state {
            State::Awaited(too_late) => (State::Abandoned(too_late), None),
            State::Done(value, too_late) => (State::Gone, Some((value, too_late))),
            other => (other, None),
        });
    }

    /// Takes the value of finished work, or `None` if the work panicked.
    fn take(&self) -> Option<T> {
        let mut taken = None;
        self.replace(|state| {
            if let State::Done(value, _) = state {
                taken = Some(value);
            }
            (State::Gone, None)
        });
        taken
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }
}

/// Reports the end of work, even if the work panics.
struct Giver<T, L: FnOnce(T)>(Option<T>, Arc<Handover<T, L>>);

impl<T, L: FnOnce(T)> Giver<T, L> {
    fn give(mut self, value: T) {
        self.0 = Some(value);
    }
}

impl<T, L: FnOnce(T)> Drop for Giver<T, L> {
    fn drop(&mut self) {
        self.1.give(self.0.take());
    }
}

/// Locks `shared`, even after a panic. Returns `None` if another thread holds the lock.
pub(crate) fn idle<S>(shared: &Mutex<S>) -> Option<MutexGuard<'_, S>> {
    match shared.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Runs brief work with the interpreter's lock. Only a wait for `shared` releases the interpreter's lock, which prevents a
/// deadlock.
pub(crate) fn brief<S, T>(py: Python<'_>, shared: &Mutex<S>, work: impl FnOnce(&mut S) -> T) -> T {
    let wait = || shared.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
    work(&mut idle(shared).unwrap_or_else(wait))
}

/// Runs work that can be long without the interpreter's lock, on another thread, while this thread handles signals. A handler
/// that raises an exception (Ctrl-C) ends the wait immediately. A later result of the work goes to `too_late`.
pub(crate) fn released<T, W, L>(py: Python<'_>, work: W, too_late: L) -> PyResult<T>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, Error> + Send + 'static,
    L: FnOnce(T) + Send + 'static,
{
    let too_late = |value: Result<T, Error>| {
        if let Ok(value) = value {
            too_late(value);
        }
    };
    let handover = Arc::new(Handover {
        state: Mutex::new(State::Awaited(too_late)),
        over: AtomicBool::new(false),
        waiting: std::thread::current(),
    });
    let giver = Giver(None, Arc::clone(&handover));
    let helper = Helper::take().or_raise(py)?;
    helper.jobs.send(Box::new(move || giver.give(work()))).map_err(|_| internal(py))?;
    py.detach(|| awake_until(|| handover.is_over()));
    while !handover.is_over() {
        py.detach(|| std::thread::park_timeout(SLICE));
        if let Err(raised) = py.check_signals() {
            py.detach(|| handover.abandon());
            return Err(raised);
        }
    }
    let value = handover.take().ok_or_else(|| internal(py))?;
    // A helper is dropped if its work was abandoned or panicked.
    IDLE.set(Some(helper));
    value.or_raise(py)
}
