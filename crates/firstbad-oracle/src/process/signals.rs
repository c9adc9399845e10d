//! What a test says of its run beside its ending: JSON that it writes into the file that `FIRSTBAD_SIGNALS` names.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use firstbad::Error;
use firstbad_git::git;
use firstbad_platform::{files, trees};
use serde_json::{Map, Value};

/// The variable that names the file.
pub(crate) const VARIABLE: &str = "FIRSTBAD_SIGNALS";

/// The variable that names the file with the definitions that tracers look at.
pub(crate) const DEFINITIONS: &str = "FIRSTBAD_DEFINITIONS";

/// The most that is read, in bytes: some 100,000 facts, and in memory ten times that.
const LARGEST: u64 = 16 << 20;

/// Removes whatever is there.
pub(crate) fn clear(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => trees::remove(path),
        Ok(()) => Ok(()),
    }
}

/// What a test has written; `None` if it wrote nothing.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the variable and the place in the file, for what is no JSON object or too large;
/// [`Error::Io`] for what cannot be read, or is no file.
pub(crate) fn read(path: &Path) -> Result<Option<Value>, Error> {
    let reading = |error: &io::Error| git::io(format!("reading {VARIABLE}, {}", path.display()), error);
    let text = match open(path) {
        Ok(file) => text(file).map_err(|error| reading(&error))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(reading(&error)),
    };
    if text.is_empty() {
        return Ok(None);
    }
    let expected = || format!("one JSON object of at most {} MiB, as the test's signals", LARGEST >> 20);
    if text.len() as u64 > LARGEST {
        return Err(Error::invalid(VARIABLE, format!("more than {LARGEST} bytes"), expected()));
    }
    // Its words have the line and the column.
    let signals: Map<String, Value> =
        serde_json::from_slice(&text).map_err(|error| Error::invalid(VARIABLE, error.to_string(), expected()))?;
    Ok(Some(Value::Object(signals)))
}

/// A test may have put anything there: no link is followed, and no pipe is waited for.
fn open(path: &Path) -> io::Result<File> {
    let file = files::without_links(File::options().read(true)).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no file")) }
}

/// What a file holds, or one byte more than it may.
fn text(file: File) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut text)?;
    Ok(text)
}
