//! Reads files and standard input.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use firstbad::Error;
use firstbad_platform::files;

/// The maximum size in bytes.
const LARGEST: u64 = 1 << 28;

/// Returns the name of a file in messages.
pub(crate) fn name(path: &Path) -> String {
    if is_input(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Returns whether a path means standard input.
pub(crate) fn is_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a file, or standard input if `path` is `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    static IS_READ: AtomicBool = AtomicBool::new(false);
    let read = match is_input(path) {
        true if IS_READ.swap(true, Ordering::Relaxed) => {
            return Err(Error::invalid("-", "given twice", "it once, because standard input can only be read once"));
        }
        true => files::read_all(std::io::stdin().lock(), LARGEST),
        false => File::open(path).and_then(|file| files::read_file(file, LARGEST)),
    };
    read.map_err(|error| failed(path, &error))
}

/// Reads a text file without its byte order mark.
pub(crate) fn read_text(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = read(path)?;
    Ok(bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(bytes))
}

/// Converts the bytes of a file to text.
pub(crate) fn text(path: &Path, bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes)
        .map_err(|error| failed(path, &std::io::Error::new(ErrorKind::InvalidData, error.utf8_error())))
}

fn failed(path: &Path, error: &std::io::Error) -> Error {
    Error::Io { action: format!("reading {}", name(path)), message: error.to_string() }
}
