//! Ctrl-C and its kin: the first ends the run in order, the second at once.

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

/// What is to be done before the process exits at once.
type LastAct = Box<dyn Fn() + Send>;

/// Listens for SIGINT, SIGTERM and SIGHUP until dropped; on Windows for what a console sends (Ctrl-C, Ctrl-Break, its end), all
/// of which count as SIGINT.
pub(crate) struct Signals {
    heard: Arc<Heard>,
    _source: system::Source,
}

#[derive(Default)]
struct Heard {
    /// The first one; 0 before.
    first: AtomicI32,
    /// Whether nobody would notice the first one.
    at_once: AtomicBool,
    last_act: Mutex<Option<LastAct>>,
}

impl Heard {
    // Nothing is done under the lock that could leave something half done.
    fn last_act(&self) -> MutexGuard<'_, Option<LastAct>> {
        self.last_act.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the first, and exits at the second, or at once.
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
    /// Begins to listen.
    ///
    /// # Errors
    /// [`Error::Io`] in the system's words.
    pub(crate) fn listen() -> Result<Signals, Error> {
        let heard = Arc::new(Heard::default());
        let listener = Arc::clone(&heard);
        let source = system::Source::listen(move |signal| listener.hear(signal));
        let failed =
            |error: std::io::Error| Error::Io { action: "waiting for signals".into(), message: error.to_string() };
        Ok(Signals { heard, _source: source.map_err(failed)? })
    }

    /// The first signal that came, if any.
    pub(crate) fn caught(&self) -> Option<i32> {
        Some(self.heard.first.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }

    /// Says whether the first signal ends the process, too: as long as nobody looks for it.
    pub(crate) fn end_at_once(&self, at_once: bool) {
        self.heard.at_once.store(at_once, Ordering::SeqCst);
    }

    /// Says what is to be done before the process exits.
    pub(crate) fn before_exit(&self, act: impl Fn() + Send + 'static) {
        *self.heard.last_act() = Some(Box::new(act));
    }
}

/// Signals end the process, as they do anywhere: Python and Node have handlers of their own, which wait for us.
pub(crate) fn end_the_process() {
    system::end_the_process();
}
