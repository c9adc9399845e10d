//! Opens, appends to, and syncs the file of a journal.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use firstbad::{Error, EventLimits};
use firstbad_platform::files;

use crate::contents::{Contents, parsed};
use crate::disk::{Disk, absolute, failed, read_file, sync_name, write_whole};
use crate::facts::KeptFacts;
use crate::header::Header;
use crate::limits;
use crate::lock::Lock;
use crate::record::Record;
use crate::sealed;

/// A journal that this process writes to.
#[derive(Debug)]
pub(crate) struct Journal {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    file: File,
    /// The length of the data that is certainly on disk, in bytes.
    whole: u64,
    /// The number of complete lines.
    lines: u64,
    /// Whether its lines have checksums.
    is_sealed: bool,
    /// The resources that the events use.
    taken: EventLimits,
    /// The facts, each stored once.
    kept: KeptFacts,
    /// Whether a failed write may have left an incomplete line that could not be removed.
    is_torn: bool,
    /// Whether the name on disk certainly refers to this file and not to an earlier one.
    is_named: bool,
    lock: Lock,
}

impl Journal {
    /// Locks the journal at `path`. Also returns its contents if it exists.
    ///
    /// # Errors
    /// [`Error::JournalLocked`], [`Error::Journal`].
    pub(crate) fn lock(path: &Path, wait: Duration) -> Result<(PathBuf, Lock, Option<Contents>), Error> {
        let path = absolute(path)?;
        let lock = Lock::acquire(&path, wait)?;
        match read_file(&path, limits::JOURNAL) {
            // Journals are created with their header, so another program created an empty file.
            Ok(bytes) if bytes.is_empty() => Ok((path, lock, None)),
            Ok(bytes) => {
                let found = parsed(&path, &bytes)?;
                Ok((path, lock, Some(found)))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok((path, lock, None)),
            Err(error) => Err(failed(&path, "reading it", &error)),
        }
    }

    /// Opens an existing journal and removes an incomplete line. Syncs its contents first, because an earlier process may have
    /// been killed before it did.
    ///
    /// # Errors
    /// [`Error::Journal`].
    pub(crate) fn go_on(disk: Arc<dyn Disk>, path: PathBuf, lock: Lock, contents: &Contents) -> Result<Journal, Error> {
        let opened = || {
            let file = disk.open(&path)?;
            if contents.torn > 0 {
                disk.cut(&file, contents.whole)?;
            }
            disk.sync(&file)?;
            sync_name(disk.as_ref(), &path)?;
            Ok(file)
        };
        let file = opened().map_err(|error: std::io::Error| failed(&path, "opening it", &error))?;
        let (whole, taken, kept) = (contents.whole, contents.taken, contents.kept.clone());
        let (lines, is_sealed) = (1 + contents.records.len() as u64, contents.header.is_sealed());
        Ok(Journal { disk, path, file, whole, lines, is_sealed, taken, kept, is_torn: false, is_named: true, lock })
    }

    /// Creates a journal with its header.
    ///
    /// # Errors
    /// [`Error::Journal`]. There is then no journal, or one without events.
    pub(crate) fn begin(disk: Arc<dyn Disk>, path: PathBuf, lock: Lock, header: &Header) -> Result<Journal, Error> {
        let line = line_of(&path, header)?;
        limits::check(&path, "line 1", line.len() as u64, limits::LINE as u64)?;
        let made = || {
            let file = write_whole(disk.as_ref(), &path, |file| file.write_all(&line))?;
            sync_name(disk.as_ref(), &path)?;
            Ok(file)
        };
        let file = made().map_err(|error: std::io::Error| failed(&path, "making it", &error))?;
        let (whole, taken, kept) = (line.len() as u64, EventLimits::default(), KeptFacts::default());
        let (lines, is_sealed) = (1, header.is_sealed());
        Ok(Journal { disk, path, file, whole, lines, is_sealed, taken, kept, is_torn: false, is_named: true, lock })
    }

    /// Replaces the header.
    ///
    /// # Errors
    /// [`Error::Journal`]. The journal then has either header, and remains usable.
    pub(crate) fn change_header(&mut self, header: &Header) -> Result<(), Error> {
        self.check_ours()?;
        let mut text = line_of(&self.path, header)?;
        let mut changed = || -> std::io::Result<()> {
            self.settle()?;
            let old = std::fs::read(&self.path)?;
            let first = old.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            text.extend_from_slice(&old[first..]);
            self.file = write_whole(self.disk.as_ref(), &self.path, |file| file.write_all(&text))?;
            (self.whole, self.is_named) = (text.len() as u64, false);
            self.settle()
        };
        changed().map_err(|error| failed(&self.path, "writing its test", &error))
    }

    fn check_ours(&self) -> Result<(), Error> {
        if self.lock.is_ours() {
            return Ok(());
        }
        let message = "the parent process opened it before a fork\nhelp: open it again in this process".to_owned();
        Err(Error::Journal { path: self.path.display().to_string(), message })
    }

    /// Appends records and waits until they are on disk.
    ///
    /// # Errors
    /// [`Error::Journal`]. None of the records is then in the file.
    pub(crate) fn append(&mut self, records: Vec<Record>) -> Result<(), Error> {
        self.check_ours()?;
        let mut taken = self.taken;
        for record in &records {
            let too_much =
                |error: Error| Error::Journal { path: self.path.display().to_string(), message: error.message() };
            taken.take(&record.event).map_err(too_much)?;
        }
        let before = self.kept.mark();
        let written = self.append_short(records);
        match written {
            Ok(()) => self.taken = taken,
            Err(_) => self.kept.forget_since(before),
        }
        written
    }

    fn append_short(&mut self, mut records: Vec<Record>) -> Result<(), Error> {
        for record in &mut records {
            record.facts = self.kept.shorten(&self.path, &mut record.event)?;
        }
        let mut text = Vec::with_capacity(128 * records.len());
        let written = (self.lines + 1..).zip(&records).try_for_each(|(number, record)| {
            let start = text.len();
            serde_json::to_writer(&mut text, record)?;
            end_line(&mut text, start, number, self.is_sealed);
            Ok(())
        });
        let longest = text.split(|&byte| byte == b'\n').map(<[u8]>::len).max().unwrap_or(0);
        limits::check(&self.path, "an event", longest as u64, limits::LINE as u64)?;
        limits::check(&self.path, "it", self.whole + text.len() as u64, limits::JOURNAL)?;
        let written = written.and_then(|()| self.write(&text));
        written.map_err(|error: std::io::Error| {
            let count = records.len();
            failed(&self.path, &format!("writing {count} events, which are kept in memory until the next call"), &error)
        })?;
        self.whole += text.len() as u64;
        self.lines += records.len() as u64;
        Ok(())
    }

    /// Restores the file to the data that is certainly on disk.
    fn settle(&mut self) -> std::io::Result<()> {
        let found = self.file.metadata()?;
        if files::is_nameless(&found) {
            return Err(std::io::Error::other("the file was removed"));
        }
        if !self.is_there() {
            return Err(std::io::Error::other("the file was moved or replaced"));
        }
        if self.is_torn {
            self.disk.cut(&self.file, self.whole)?;
            self.is_torn = false;
        } else if found.len() != self.whole {
            let (found, whole) = (found.len(), self.whole);
            return Err(std::io::Error::other(format!(
                "another process changed the file: it has {found} bytes instead of {whole}\nhelp: open it again"
            )));
        }
        if !self.is_named {
            sync_name(self.disk.as_ref(), &self.path)?;
            self.is_named = true;
        }
        Ok(())
    }

    fn write(&mut self, text: &[u8]) -> std::io::Result<()> {
        self.settle()?;
        let written = self.disk.append(&self.file, text).and_then(|()| self.disk.sync(&self.file));
        if written.is_err() {
            // Removes an incomplete line now, before the next write, or at the next opening.
            self.is_torn = self.disk.cut(&self.file, self.whole).is_err();
        }
        written
    }

    /// Returns whether the name still refers to this file.
    pub(crate) fn is_there(&self) -> bool {
        files::leads_to(&self.path, &self.file)
    }

    pub(crate) fn disk(&self) -> &dyn Disk {
        self.disk.as_ref()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns the line of a header.
fn line_of(path: &Path, header: &Header) -> Result<Vec<u8>, Error> {
    let mut line = serde_json::to_vec(header).map_err(|error| failed(path, "writing it", &error.into()))?;
    end_line(&mut line, 0, 1, header.is_sealed());
    Ok(line)
}

/// Ends a line, with a checksum if the journal has checksums.
fn end_line(text: &mut Vec<u8>, start: usize, number: u64, is_sealed: bool) {
    match is_sealed {
        true => sealed::seal(text, start, number),
        false => text.push(b'\n'),
    }
}
