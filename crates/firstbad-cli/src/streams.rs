//! Standard output and standard error. A closed pipe is not an error.
//!
//! This module removes control sequences for terminals and CI services from all output. Only the live view adds styles.

use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use firstbad::{Error, for_logs, printable, printable_json};
use serde::Serialize;

/// Prints a result.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    written(for_logs(text).as_bytes())
}

/// Prints a result for programs: JSON, or commands for a CI service.
pub(crate) fn data(text: &str) -> Result<(), Error> {
    written(printable(text).as_bytes())
}

/// Prints a result that can be binary. Removes control sequences only if standard output is a terminal.
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
pub(crate) fn json(result: &impl Serialize) -> Result<(), Error> {
    let line = serde_json::to_string(result)
        .map_err(|error| Error::Io { action: "writing JSON".to_owned(), message: error.to_string() })?;
    written((printable_json(&line) + "\n").as_bytes())
}

/// Prints a note to standard error and ignores write errors.
pub(crate) fn note(words: impl std::fmt::Display) {
    lines(&format!("note: {words}\n"));
}

/// Prints a warning to standard error and ignores write errors.
pub(crate) fn warning(words: impl std::fmt::Display) {
    lines(&format!("warning: {words}\n"));
}

/// Prints an error, with its advice on a separate line, and ignores write errors.
pub(crate) fn error(words: &str) {
    lines(&with_help(words));
}

/// The first words of an advice.
const ADVICE: [&str; 18] = [
    "add ",
    "check ",
    "choose ",
    "did you mean ",
    "give ",
    "increase ",
    "install ",
    "make ",
    "name ",
    "omit ",
    "remove ",
    "run ",
    "set ",
    "try ",
    "undo ",
    "use ",
    "wait ",
    "write ",
];

/// Splits a message into the lines `error:` and `help:`.
fn with_help(words: &str) -> String {
    let (problem, help) = match words.split_once("\nhelp: ") {
        Some((problem, help)) => (problem, Some(help)),
        // Messages of the other crates have their advice after a semicolon.
        None => match words.rsplit_once("; ") {
            Some((problem, help)) if ADVICE.iter().any(|verb| help.starts_with(verb)) => (problem, Some(help)),
            _ => (words, None),
        },
    };
    let help = help.map_or(String::new(), |help| format!("help: {help}\n"));
    format!("error: {problem}\n{help}")
}

/// The time after which slow work is announced.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs a function, and prints a note if it is slow.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_advice_have_separate_lines() {
        assert_eq!(with_help("no file"), "error: no file\n");
        assert_eq!(with_help("no file; name one"), "error: no file\nhelp: name one\n");
        assert_eq!(with_help("no file; or two\nhelp: create one"), "error: no file; or two\nhelp: create one\n");
        assert_eq!(with_help("no tag x; it is gone"), "error: no tag x; it is gone\n");
        let one_line = "-k: 0 is not valid; expected at least 1";
        assert_eq!(with_help(one_line), format!("error: {one_line}\n"));
    }
}
