//! Conversion of SQLite errors to messages with a remedy.

use std::path::Path;

use firstbad::Error;
use rusqlite::{ErrorCode, ffi};

use crate::lock::LOCK_TIMEOUT;

pub(crate) const DELETE: &str = "delete the file, which costs only time";

pub(crate) fn store(path: &Path, message: impl Into<String>) -> Error {
    Error::Store { path: path.display().to_string(), message: message.into() }
}

pub(crate) fn of_sqlite(path: &Path, error: &rusqlite::Error) -> Error {
    let message = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => foreign("it is not an SQLite file"),
        Some(ErrorCode::DatabaseCorrupt) => format!("it is damaged ({error})\nhelp: {DELETE}"),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            let waited = LOCK_TIMEOUT.as_secs();
            format!(
                "another process has kept it locked for {waited} seconds\nhelp: try again when that process has \
                     finished"
            )
        }
        Some(ErrorCode::ReadOnly) => format!(
            "it cannot be written ({error})\nhelp: make it writable, or use another \
                                              file"
        ),
        Some(ErrorCode::CannotOpen) => format!(
            "it cannot be opened ({error})\nhelp: use a file in a folder that you \
                                                can write to"
        ),
        Some(ErrorCode::DiskFull) => format!("the disk is full ({error})\nhelp: free some space, or {DELETE}"),
        _ => format!("{error}\nhelp: if this happens again, {DELETE}"),
    };
    store(path, message)
}

/// Returns the message for a file that firstbad did not create.
pub(crate) fn foreign(what: &str) -> String {
    format!("{what}\nhelp: use another file. If this file was an outcome store, {DELETE}")
}

/// Returns whether the file was moved or deleted since it was opened.
pub(crate) fn is_gone(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_READONLY_DBMOVED)
}
