//! The file itself: read whole, appended to, synced.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use firstbad::Error;

use crate::contents;
use crate::header::{Header, SCHEMA};
use crate::lock::{Lock, beside};
use crate::record::Record;

/// What a journal holds.
#[derive(Debug, Clone)]
pub struct Contents {
    /// Which search it is.
    pub header: Header,
    /// What happened.
    pub records: Vec<Record>,
    /// How many bytes of a last line were not written to their end; 0 where all is whole.
    pub torn: usize,
    /// The length of all that is whole, in bytes.
    pub(crate) whole: u64,
}

/// Reads a journal without taking part in it: somebody may be writing to it.
///
/// # Errors
/// [`Error::Journal`] where there is none, or it cannot be read as one; the line is named.
pub fn read(path: impl AsRef<Path>) -> Result<Contents, Error> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|error| failed(path, "reading it", &error))?;
    parsed(path, &bytes)
}

fn parsed(path: &Path, bytes: &[u8]) -> Result<Contents, Error> {
    let broken = |message: String| Error::Journal { path: path.display().to_string(), message };
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let header = || {
        let version: Version = serde_json::from_slice(first).map_err(|_| broken("it is no journal".to_owned()))?;
        if version.journal != SCHEMA {
            let theirs = version.journal;
            return Err(broken(format!("its format is version {theirs}, and this program knows version {SCHEMA}")));
        }
        serde_json::from_slice(first).map_err(|error| broken(format!("line 1 cannot be read: {error}")))
    };
    let header = header()?;
    if !first.ends_with(b"\n") {
        return Err(broken("line 1 has no end, and nothing follows it: remove the file to begin anew".to_owned()));
    }
    let mut found = Contents { header, records: Vec::new(), torn: 0, whole: first.len() as u64 };
    for (number, line) in (2..).zip(&mut lines) {
        match serde_json::from_slice::<Record>(line) {
            Ok(mut record) if line.ends_with(b"\n") => {
                contents::restore(path, &mut record.event)?;
                found.records.push(record);
            }
            // Only the last write can be torn, and it may have been of several lines: whatever follows is of no use.
            _ if is_tail(bytes, found.whole as usize + line.len()) => {
                found.torn = bytes.len() - found.whole as usize;
                return Ok(found);
            }
            Ok(_) => return Err(broken(format!("line {number} has no end"))),
            Err(error) => {
                let advice = format!("to go on from what came before it, cut the file before line {number}");
                return Err(broken(format!("line {number} cannot be read: {error}; {advice}")));
            }
        }
        found.whole += line.len() as u64;
    }
    Ok(found)
}

/// Whether nothing but the zeros that some file systems leave after a crash follows.
fn is_tail(bytes: &[u8], end: usize) -> bool {
    bytes[end..].iter().all(|&byte| byte == 0)
}

#[derive(serde::Deserialize)]
struct Version {
    journal: u32,
}

/// A journal that this process writes to.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// The length of all that is on disk for sure, in bytes.
    whole: u64,
    /// A write has failed, and left perhaps a part behind that could not be cut off.
    is_torn: bool,
    lock: Lock,
}

impl Journal {
    /// The right to write to the journal at `path`, and what it holds, if it exists.
    ///
    /// # Errors
    /// [`Error::JournalLocked`], [`Error::Journal`].
    pub(crate) fn lock(path: &Path, wait: Duration) -> Result<(PathBuf, Lock, Option<Contents>), Error> {
        let path = absolute(path)?;
        let lock = Lock::acquire(&path, wait)?;
        match std::fs::read(&path) {
            // The header comes with the file's name, so an empty file was made by somebody else, for us to fill.
            Ok(bytes) if bytes.is_empty() => Ok((path, lock, None)),
            Ok(bytes) => {
                let found = parsed(&path, &bytes)?;
                Ok((path, lock, Some(found)))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok((path, lock, None)),
            Err(error) => Err(failed(&path, "reading it", &error)),
        }
    }

    /// Goes on with a journal; a torn line is cut off.
    ///
    /// # Errors
    /// [`Error::Journal`].
    pub(crate) fn go_on(path: PathBuf, lock: Lock, contents: &Contents) -> Result<Journal, Error> {
        let opened = || {
            let file = File::options().append(true).open(&path)?;
            if contents.torn > 0 {
                file.set_len(contents.whole)?;
                file.sync_all()?;
            }
            Ok(file)
        };
        let file = opened().map_err(|error: std::io::Error| failed(&path, "opening it", &error))?;
        Ok(Journal { path, file, whole: contents.whole, is_torn: false, lock })
    }

    /// A new journal with its header.
    ///
    /// # Errors
    /// [`Error::Journal`].
    pub(crate) fn begin(path: PathBuf, lock: Lock, header: &Header) -> Result<Journal, Error> {
        let mut line = serde_json::to_vec(header).map_err(|error| failed(&path, "writing it", &error.into()))?;
        line.push(b'\n');
        let made = || {
            let unfinished = beside(&path, "new");
            let mut file = File::create(&unfinished)?;
            file.write_all(&line)?;
            file.sync_all()?;
            std::fs::rename(&unfinished, &path)?;
            sync_folder(&path)?;
            File::options().append(true).open(&path)
        };
        let file = made().map_err(|error| failed(&path, "making it", &error))?;
        Ok(Journal { path, file, whole: line.len() as u64, is_torn: false, lock })
    }

    /// Writes records and waits until they are on the disk.
    ///
    /// # Errors
    /// [`Error::Journal`]; then none of them is in the file.
    pub(crate) fn append(&mut self, records: &[Record]) -> Result<(), Error> {
        if !self.lock.is_ours() {
            let message = "it was opened before a fork, by the process that writes to it; open it here".to_owned();
            return Err(Error::Journal { path: self.path.display().to_string(), message });
        }
        let mut text = Vec::with_capacity(128 * records.len());
        let written = records.iter().try_for_each(|record| {
            serde_json::to_writer(&mut text, record)?;
            text.push(b'\n');
            Ok(())
        });
        let written = written.and_then(|()| self.write(&text));
        written.map_err(|error: std::io::Error| {
            let count = records.len();
            failed(&self.path, &format!("writing {count} events, which are kept in memory until the next call"), &error)
        })?;
        self.whole += text.len() as u64;
        Ok(())
    }

    fn write(&mut self, text: &[u8]) -> std::io::Result<()> {
        let found = self.file.metadata()?;
        if found.nlink() == 0 {
            return Err(std::io::Error::other("the file was removed"));
        }
        if self.is_torn {
            self.file.set_len(self.whole)?;
            self.is_torn = false;
        } else if found.len() != self.whole {
            let (found, whole) = (found.len(), self.whole);
            return Err(std::io::Error::other(format!(
                "somebody else has changed the file: it has {found} bytes, and {whole} were written; open it again"
            )));
        }
        let written = self.file.write_all(text).and_then(|()| self.file.sync_data());
        if written.is_err() {
            // What is there in part is cut off, now, before the next write, or by whoever opens it next.
            self.is_torn = self.file.set_len(self.whole).is_err();
        }
        written
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// The path without links, so that a journal is the same by whatever name.
fn absolute(path: &Path) -> Result<PathBuf, Error> {
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

/// Makes sure that a new name in a folder is on disk.
pub(crate) fn sync_folder(file: &Path) -> std::io::Result<()> {
    file.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// The error for what could not be done with a journal.
pub(crate) fn failed(path: &Path, action: &str, error: &std::io::Error) -> Error {
    Error::Journal { path: path.display().to_string(), message: format!("{action}: {error}") }
}
