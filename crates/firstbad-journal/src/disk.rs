//! Files beside a journal: their names, and how they come to be on the disk.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use firstbad::Error;
use rustix::fs::OFlags;

/// A file beside another: `run.jsonl.lock`.
pub(crate) fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// Opens a file to read it. What is no regular file (a pipe that nobody writes to, a device) is not waited for.
///
/// # Errors
/// Those of the file system.
pub(crate) fn open_file(path: &Path) -> std::io::Result<File> {
    let at_once = OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options().read(true).custom_flags(at_once).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("it is no regular file"));
    }
    Ok(file)
}

/// What a file holds, which may be at most so many bytes.
///
/// # Errors
/// Those of [`open_file`], and [`std::io::ErrorKind::FileTooLarge`].
pub(crate) fn read_file(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let file = open_file(path)?;
    let mut bytes = Vec::new();
    if file.metadata()?.len() > most || file.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        let words = format!("it has more than {most} bytes, the most that is read");
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, words));
    }
    Ok(bytes)
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
    // What an earlier write has left, or a link that somebody has put there, to be written through.
    match std::fs::remove_file(&unfinished) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::create_new(&unfinished)?;
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
