//! The JSON object that a test writes into the file in `FIRSTBAD_SIGNALS`.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use firstbad::Error;
use firstbad_git::git;
use firstbad_platform::{files, trees};
use serde_json::{Map, Value};

/// The variable with the path of the file.
pub(crate) const VARIABLE: &str = "FIRSTBAD_SIGNALS";

/// The variable with the path of the definitions for tracers.
pub(crate) const DEFINITIONS: &str = "FIRSTBAD_DEFINITIONS";

/// The maximum size in bytes: about 100,000 facts, which take ten times as much memory.
const LARGEST: u64 = 16 << 20;

/// Removes any file at this path.
pub(crate) fn clear(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => trees::remove(path),
        Ok(()) => Ok(()),
    }
}

/// Returns the signals that a test wrote, or `None` if it wrote none.
///
/// # Errors
/// [`Error::InvalidArgument`] with the position if the file is not a JSON object or is too large, and [`Error::Io`] if the path
/// is not a readable file.
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
    // The error contains the line and the column.
    let signals: Map<String, Value> =
        serde_json::from_slice(&text).map_err(|error| Error::invalid(VARIABLE, error.to_string(), expected()))?;
    Ok(Some(Value::Object(signals)))
}

/// Opens a file that a test may have replaced. Does not follow links or wait for a pipe.
fn open(path: &Path) -> io::Result<File> {
    let file = files::without_links(File::options().read(true)).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a file")) }
}

/// Returns the contents of a file, up to one byte over the limit.
fn text(file: File) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut text)?;
    Ok(text)
}
