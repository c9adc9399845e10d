//! Files beside a journal: their names, and how they come to be on the disk.

use std::fs::File;
use std::path::{Path, PathBuf};

use firstbad::Error;

/// A file beside another: `run.jsonl.lock`.
pub(crate) fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// Writes a file so that it is on the disk whole or not at all; an earlier one of that name is replaced.
///
/// # Errors
/// Those of the file system, and what `write` gives.
pub(crate) fn write_whole<W>(path: &Path, write: W) -> std::io::Result<()>
where
    W: FnOnce(&mut File) -> std::io::Result<()>,
{
    let unfinished = beside(path, "new");
    let mut file = File::create(&unfinished)?;
    write(&mut file)?;
    file.sync_all()?;
    std::fs::rename(&unfinished, path)?;
    sync_folder(path)
}

/// Makes sure that a new name in a folder is on the disk.
///
/// # Errors
/// Those of the file system.
pub(crate) fn sync_folder(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// The error for what could not be done with a journal.
pub(crate) fn failed(path: &Path, action: &str, error: &std::io::Error) -> Error {
    Error::Journal { path: path.display().to_string(), message: format!("{action}: {error}") }
}

/// The path without links, so that a journal is the same by whatever name.
///
/// # Errors
/// [`Error::Journal`].
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, Error> {
    let found = || {
        let path = std::path::absolute(path)?;
        if let Ok(real) = path.canonicalize() {
            return Ok(real);
        }
        let folder = path.parent().unwrap_or(&path);
        Ok(folder.canonicalize()?.join(path.file_name().unwrap_or_default()))
    };
    found().map_err(|error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Error::Journal { path: path.display().to_string(), message: "its folder does not exist".to_owned() }
        }
        _ => failed(path, "finding its folder", &error),
    })
}
