//! Events of a console. The system calls whoever registered last, and one handler of ours stays for as long as the process
//! lives: it comes before those of Python and Node.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// What all events count as: who handles them is not told which it was.
const SIGINT: i32 = 2;

type Hear = Arc<dyn Fn(i32) + Send + Sync>;

/// Who listens; without anybody an event ends the process.
static LISTENER: Mutex<Option<Hear>> = Mutex::new(None);

// Nothing can panic while the lock is held, so a poisoned one is as good.
fn listener() -> MutexGuard<'static, Option<Hear>> {
    LISTENER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers the handler, the first time; says in words why that failed.
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
