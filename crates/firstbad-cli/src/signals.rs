//! Ctrl-C and other signals. The first signal stops the run, the second signal exits at once.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use firstbad::Error;

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// A function to call before the process exits at once.
type LastAct = Box<dyn Fn() + Send>;

/// Listens to SIGINT, SIGTERM, and SIGHUP until it is dropped. On Windows, all console events count as SIGINT.
pub(crate) struct Signals {
    heard: Arc<Heard>,
    _source: system::Source,
}

#[derive(Default)]
struct Heard {
    /// The first signal, or 0.
    first: AtomicI32,
    /// Whether the first signal exits at once.
    at_once: AtomicBool,
    last_act: Mutex<Option<LastAct>>,
}

impl Heard {
    // A panic under the lock leaves no partial state.
    fn last_act(&self) -> MutexGuard<'_, Option<LastAct>> {
        self.last_act.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the first signal. Exits at the second signal.
    fn hear(&self, signal: i32) {
        let is_first = self.first.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        if !is_first || self.at_once.load(Ordering::SeqCst) {
            if let Some(act) = self.last_act().as_ref() {
                act();
            }
            std::process::exit(128 + signal);
        }
    }
}

impl Signals {
    /// Starts to listen.
    pub(crate) fn listen() -> Result<Signals, Error> {
        let heard = Arc::new(Heard::default());
        let listener = Arc::clone(&heard);
        let source = system::Source::listen(move |signal| listener.hear(signal));
        let failed =
            |error: std::io::Error| Error::Io { action: "waiting for signals".into(), message: error.to_string() };
        Ok(Signals { heard, _source: source.map_err(failed)? })
    }

    /// Returns the first signal.
    pub(crate) fn caught(&self) -> Option<i32> {
        Some(self.heard.first.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }

    /// Sets whether the first signal exits at once, because no search polls it yet.
    pub(crate) fn end_at_once(&self, at_once: bool) {
        self.heard.at_once.store(at_once, Ordering::SeqCst);
    }

    /// Sets the function to call before the process exits at once.
    pub(crate) fn before_exit(&self, act: impl Fn() + Send + 'static) {
        *self.heard.last_act() = Some(Box::new(act));
    }
}

/// Restores the default effect of signals, because the handlers of Python and Node wait for this code.
pub(crate) fn end_the_process() {
    system::end_the_process();
}
