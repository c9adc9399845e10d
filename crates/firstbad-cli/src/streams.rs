//! Standard output for results, standard error for what is said on the way. Whoever reads either may have had enough.
//!
//! All output goes through this module, which removes control sequences for terminals and CI services. Only the live view adds
//! styles.

use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use firstbad::{Error, for_logs, printable, printable_json};
use serde::Serialize;

/// Prints a result.
///
/// # Errors
/// [`Error::Io`]. That nobody reads any further is no error.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    written(for_logs(text).as_bytes())
}

/// Prints a result for programs: JSON, or commands for a CI service.
///
/// # Errors
/// [`Error::Io`] if standard output cannot be written.
pub(crate) fn data(text: &str) -> Result<(), Error> {
    written(printable(text).as_bytes())
}

/// Prints a result that can be binary. Removes control sequences only if standard output is a terminal.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn bytes(result: &[u8]) -> Result<(), Error> {
    match std::io::stdout().is_terminal() {
        true => print(&String::from_utf8_lossy(result)),
        false => written(result),
    }
}

fn written(result: &[u8]) -> Result<(), Error> {
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
    written((printable_json(&line) + "\n").as_bytes())
}

/// Prints a note to standard error and ignores write errors.
pub(crate) fn note(words: impl std::fmt::Display) {
    lines(&format!("firstbad: {words}\n"));
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

/// Prints lines to standard error and ignores write errors.
pub(crate) fn lines(text: &str) {
    let _ = std::io::stderr().lock().write_all(for_logs(text).as_bytes());
}

/// Prints help or a usage error, with colors unless the text contains control sequences from the arguments.
pub(crate) fn usage(error: &clap::Error) {
    let words = error.render().to_string();
    if for_logs(&words) == words {
        let _ = error.print();
    } else {
        lines(&words);
    }
}
