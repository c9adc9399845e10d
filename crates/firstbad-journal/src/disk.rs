//! Writes journals and the files next to them.

// The tests of failing disks use Unix file numbers and error numbers.
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

/// All operations that change files. Tests replace them to simulate failures and power cuts.
pub(crate) trait Disk: std::fmt::Debug + Send + Sync {
    /// Creates a file to append to, readable only by its owner.
    fn create(&self, path: &Path) -> std::io::Result<File>;
    /// Opens an existing file to append to.
    fn open(&self, path: &Path) -> std::io::Result<File>;
    /// Appends bytes to a file. After an error, some of the bytes may be in the file.
    fn append(&self, file: &File, bytes: &[u8]) -> std::io::Result<()>;
    /// Truncates a file.
    fn cut(&self, file: &File, length: u64) -> std::io::Result<()>;
    /// Waits until the contents of a file are on disk. Its name may not be.
    fn sync(&self, file: &File) -> std::io::Result<()>;
    /// Waits until a folder are on disk.
    fn sync_folder(&self, folder: &Path) -> std::io::Result<()>;
    /// Renames a file atomically and replaces an existing file.
    fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()>;
    fn remove(&self, path: &Path) -> std::io::Result<()>;
    /// Creates a folder unless it exists.
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

/// Returns the path of a file next to another, such as `run.jsonl.lock`.
pub(crate) fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// The errors of [`files::open_regular`], and [`std::io::ErrorKind::FileTooLarge`].
pub(crate) fn read_file(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    files::read_file(files::open_regular(path)?, most)
}

/// Writes a file atomically and returns it, open for appending. The name itself is on disk only after [`sync_name`].
///
/// # Errors
/// Errors of the file system, and those of `write`.
pub(crate) fn write_whole<W>(disk: &dyn Disk, path: &Path, write: W) -> std::io::Result<File>
where
    W: FnOnce(&mut dyn Write) -> std::io::Result<()>,
{
    let unfinished = beside(path, "new");
    // Removes the remains of an earlier write, or a malicious link.
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

/// Waits until the name of a file in its folder is on disk.
///
/// # Errors
/// Errors of the file system.
pub(crate) fn sync_name(disk: &dyn Disk, path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), |folder| disk.sync_folder(folder))
}

/// Returns the error for a failed operation on a journal.
pub(crate) fn failed(path: &Path, action: &str, error: &std::io::Error) -> Error {
    Error::Journal { path: path.display().to_string(), message: format!("{action}: {error}") }
}

/// Resolves links, so that a journal has only one path.
///
/// # Errors
/// [`Error::Journal`] if the path cannot be resolved.
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
