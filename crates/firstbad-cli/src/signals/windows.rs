//! Console events on Windows. The handler stays for the whole process and runs before those of Python and Node.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The handler does not get the kind of event, so all events count as SIGINT.
const SIGINT: i32 = 2;

type Hear = Arc<dyn Fn(i32) + Send + Sync>;

/// The listener. Without a listener, an event ends the process.
static LISTENER: Mutex<Option<Hear>> = Mutex::new(None);

// No code panics while it holds the lock.
fn listener() -> MutexGuard<'static, Option<Hear>> {
    LISTENER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers the handler once.
fn register() -> io::Result<()> {
    static REGISTERED: OnceLock<Result<(), String>> = OnceLock::new();
    let registered = REGISTERED.get_or_init(|| ctrlc::set_handler(hear).map_err(|error| error.to_string()));
    registered.clone().map_err(io::Error::other)
}

fn hear() {
    let listener = listener().clone();
    match listener {
        Some(hear) => hear(SIGINT),
        None => std::process::exit(128 + SIGINT),
    }
}

/// Listens until it is dropped.
pub(super) struct Source;

impl Source {
    pub(super) fn listen(hear: impl Fn(i32) + Send + Sync + 'static) -> io::Result<Source> {
        *listener() = Some(Arc::new(hear));
        register()?;
        Ok(Source)
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        *listener() = None;
    }
}

pub(super) fn end_the_process() {
    let _ = register();
}
