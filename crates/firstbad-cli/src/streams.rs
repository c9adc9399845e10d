//! Standard output for results, standard error for what is said on the way. Whoever reads either may have had enough.

use std::io::{ErrorKind, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use firstbad::Error;
use serde::Serialize;

/// Prints a result.
///
/// # Errors
/// [`Error::Io`]. That nobody reads any further is no error.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    bytes(text.as_bytes())
}

/// Prints a result that need not be text.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn bytes(result: &[u8]) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(result).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::Io { action: "writing to standard output".to_owned(), message: error.to_string() })
        }
        _ => Ok(()),
    }
}

/// Prints a result as one line of JSON.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn json(result: &impl Serialize) -> Result<(), Error> {
    let line = serde_json::to_string(result)
        .map_err(|error| Error::Io { action: "writing JSON".to_owned(), message: error.to_string() })?;
    print(&(line + "\n"))
}

/// Says something on the way, without what would steer a terminal; nobody has to listen.
pub(crate) fn note(words: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "firstbad: {}", firstbad::printable(&words.to_string()));
}

/// How long something may take without a word.
const PATIENCE: Duration = Duration::from_secs(1);

/// Does some work, and says what that is if it takes its time.
pub(crate) fn working<R>(words: &str, work: impl FnOnce() -> R) -> R {
    let (done, is_done) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                note(words);
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Says several lines on the way, as they are.
pub(crate) fn lines(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
