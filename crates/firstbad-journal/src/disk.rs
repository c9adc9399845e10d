//! Journals and the files beside them: their names, and how they come to be on the disk.

// Disks that fail are those of Unix systems: files are known by their numbers there, and errors by theirs.
#[cfg(test)]
#[cfg(unix)]
mod faults;
#[cfg(test)]
#[cfg(unix)]
mod power_cuts;
#[cfg(test)]
#[cfg(unix)]
mod recorder;
#[cfg(test)]
#[cfg(unix)]
mod scene;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use firstbad::Error;
use firstbad_platform::{files, folders};

/// All that changes files. Journals and what is beside them come to the disk by these calls alone, so that tests can let
/// each of them fail, and know what a power cut may leave.
pub(crate) trait Disk: std::fmt::Debug + Send + Sync {
    /// Creates a file to append to, readable only by its owner.
    fn create(&self, path: &Path) -> std::io::Result<File>;
    /// A file that is there, to be appended to.
    fn open(&self, path: &Path) -> std::io::Result<File>;
    /// Writes all of it at the end of the file. After an error a part of it may be there.
    fn append(&self, file: &File, bytes: &[u8]) -> std::io::Result<()>;
    /// Takes off all beyond a length.
    fn cut(&self, file: &File, length: u64) -> std::io::Result<()>;
    /// Waits until what the file holds is on the disk. Its name may not be there yet.
    fn sync(&self, file: &File) -> std::io::Result<()>;
    /// Waits until the names in a folder are on the disk.
    fn sync_folder(&self, folder: &Path) -> std::io::Result<()>;
    /// Gives a file another name, at once or not at all; a file that had it is replaced.
    fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> std::io::Result<()>;
    /// Makes a folder, if it is not there.
    fn make_folder(&self, path: &Path) -> std::io::Result<()>;
}

/// The disk of this machine.
#[derive(Debug)]
pub(crate) struct ThisMachine;

impl Disk for ThisMachine {
    fn create(&self, path: &Path) -> std::io::Result<File> {
        folders::owner_alone(files::to_append(File::options().create_new(true))).open(path)
    }

    fn open(&self, path: &Path) -> std::io::Result<File> {
        files::to_append(&mut File::options()).open(path)
    }

    fn append(&self, file: &File, bytes: &[u8]) -> std::io::Result<()> {
        files::append(file, bytes)
    }

    fn cut(&self, file: &File, length: u64) -> std::io::Result<()> {
        file.set_len(length)
    }

    fn sync(&self, file: &File) -> std::io::Result<()> {
        file.sync_data()
    }

    fn sync_folder(&self, folder: &Path) -> std::io::Result<()> {
        files::sync_folder(folder)
    }

    fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        std::fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> std::io::Result<()> {
        std::fs::remove_file(path)
    }

    fn make_folder(&self, path: &Path) -> std::io::Result<()> {
        folders::make_private(path)
    }
}

/// A file of a [`Disk`] that is being written.
struct Written<'a> {
    disk: &'a dyn Disk,
    file: File,
}

impl Write for Written<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.disk.append(&self.file, bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A file beside another: `run.jsonl.lock`.
pub(crate) fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// What a file holds, which may be at most so many bytes.
///
/// # Errors
/// Those of [`files::open_regular`], and [`std::io::ErrorKind::FileTooLarge`].
pub(crate) fn read_file(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    files::read_file(files::open_regular(path)?, most)
}

/// Writes a file so that its name stands for the whole of it or for what it stood for before; gives the file, to be
/// appended to. The name itself is on the disk after [`sync_name`].
///
/// # Errors
/// Those of the file system, and what `write` gives.
pub(crate) fn write_whole<W>(disk: &dyn Disk, path: &Path, write: W) -> std::io::Result<File>
where
    W: FnOnce(&mut dyn Write) -> std::io::Result<()>,
{
    let unfinished = beside(path, "new");
    // What an earlier write has left, or a link that somebody has put there, to be written through.
    match disk.remove(&unfinished) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut written = Written { disk, file: disk.create(&unfinished)? };
    write(&mut written)?;
    disk.sync(&written.file)?;
    disk.rename(&unfinished, path)?;
    Ok(written.file)
}

/// Waits until the name of a file in its folder is on the disk.
///
/// # Errors
/// Those of the file system.
pub(crate) fn sync_name(disk: &dyn Disk, path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), |folder| disk.sync_folder(folder))
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
        if let Ok(real) = files::real_path(&path) {
            return Ok(real);
        }
        let folder = path.parent().unwrap_or(&path);
        Ok(files::real_path(folder)?.join(path.file_name().unwrap_or_default()))
    };
    found().map_err(|error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Error::Journal { path: path.display().to_string(), message: "its folder does not exist".to_owned() }
        }
        _ => failed(path, "finding its folder", &error),
    })
}
