//! Ctrl-C and its kin: the first ends the run in order, the second at once.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use firstbad::Error;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals as Iterator};

/// What is to be done before the process exits at once.
type LastAct = Box<dyn Fn() + Send>;

/// Listens for SIGINT, SIGTERM and SIGHUP until dropped.
pub(crate) struct Signals {
    heard: Arc<Heard>,
    handle: Handle,
}

#[derive(Default)]
struct Heard {
    /// The first one; 0 before.
    first: AtomicI32,
    last_act: Mutex<Option<LastAct>>,
}

impl Heard {
    // Nothing is done under the lock that could leave something half done.
    fn last_act(&self) -> MutexGuard<'_, Option<LastAct>> {
        self.last_act.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// [`Error::Io`] in the system's words.
    pub(crate) fn listen() -> Result<Signals, Error> {
        let failed =
            |error: std::io::Error| Error::Io { action: "waiting for signals".into(), message: error.to_string() };
        let mut signals = Iterator::new([SIGINT, SIGTERM, SIGHUP]).map_err(failed)?;
        let (heard, handle) = (Arc::new(Heard::default()), signals.handle());
        let listener = Arc::clone(&heard);
        let listen = move || {
            for signal in signals.forever() {
                if listener.first.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_err() {
                    if let Some(act) = listener.last_act().as_ref() {
                        act();
                    }
                    std::process::exit(128 + signal);
                }
            }
        };
        std::thread::Builder::new().name("firstbad-signals".to_owned()).spawn(listen).map_err(failed)?;
        Ok(Signals { heard, handle })
    }

    /// The first signal that came, if any.
    pub(crate) fn caught(&self) -> Option<i32> {
        Some(self.heard.first.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }

    /// Says what is to be done at a second signal, before the process exits.
    pub(crate) fn before_exit(&self, act: impl Fn() + Send + 'static) {
        *self.heard.last_act() = Some(Box::new(act));
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.handle.close();
    }
}
