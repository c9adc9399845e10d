//! Reads journals without locking them.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use firstbad::{Error, EventLimits};
use firstbad_platform::files;

use crate::disk::{failed, read_file};
use crate::facts::KeptFacts;
use crate::fields;
use crate::header::{Header, SCHEMA, UNSEALED};
use crate::limits;
use crate::reads;
use crate::record::Record;
use crate::sealed;

/// The error for a line with a wrong checksum.
const CHANGED: &str = "its checksum does not match, so a line was changed, lost, repeated, or moved";

/// The contents of a journal.
#[derive(Debug, Clone)]
pub struct Contents {
    /// The header, which identifies the search.
    pub header: Header,
    /// The events.
    pub records: Vec<Record>,
    /// The number of bytes of an incomplete last line, or 0 if the journal is complete.
    pub torn: usize,
    /// The length of the complete lines in bytes.
    pub(crate) whole: u64,
    /// The resources that the events use.
    pub(crate) taken: EventLimits,
    /// The facts, each stored once.
    pub(crate) kept: KeptFacts,
}

/// Reads a journal without locking it. Another process can be writing to the journal.
///
/// # Errors
/// [`Error::Journal`] if the journal does not exist or is invalid. The error names the line.
pub fn read(path: impl AsRef<Path>) -> Result<Contents, Error> {
    let path = path.as_ref();
    let bytes = read_file(path, limits::JOURNAL).map_err(|error| failed(path, "reading it", &error))?;
    parsed(path, &bytes)
}

/// Reads only the header of a journal, which is fast for long journals.
///
/// # Errors
/// The errors of [`read`] for the first line.
pub fn read_header(path: impl AsRef<Path>) -> Result<Header, Error> {
    let path = path.as_ref();
    let mut first = Vec::new();
    let most = limits::LINE as u64 + 1;
    let read = files::open_regular(path).and_then(|file| BufReader::new(file).take(most).read_until(b'\n', &mut first));
    read.map_err(|error| failed(path, "reading it", &error))?;
    header(path, &first)
}

/// Parses the first line of a journal.
///
/// # Errors
/// The errors of [`read`].
fn header(path: &Path, first: &[u8]) -> Result<Header, Error> {
    let broken = |message: String| Error::Journal { path: path.display().to_string(), message };
    limits::check(path, "line 1", first.len() as u64, limits::LINE as u64)?;
    let version: Version = serde_json::from_slice(first).map_err(|_| broken("it is not a journal".to_owned()))?;
    if ![UNSEALED, SCHEMA].contains(&version.journal) {
        let theirs = version.journal;
        return Err(broken(format!("its format has version {theirs}, but this program reads version {SCHEMA}")));
    }
    if !first.ends_with(b"\n") {
        return Err(broken("line 1 is incomplete\nhelp: remove the file to start again".to_owned()));
    }
    if version.journal == SCHEMA && !sealed::is_whole(first, 1) {
        return Err(broken(format!(
            "line 1 cannot be read: {CHANGED}\nhelp: restore the file, or remove it to start \
                                   again"
        )));
    }
    let header: Header = serde_json::from_slice(first)
        .map_err(|error| broken(format!("line 1 cannot be read: {}", fields::cut(&error.to_string()))))?;
    header.check().map_err(broken)?;
    Ok(header)
}

/// Parses the bytes of a journal.
///
/// # Errors
/// The errors of [`read`].
pub(crate) fn parsed(path: &Path, bytes: &[u8]) -> Result<Contents, Error> {
    let broken = |message: String| Error::Journal { path: path.display().to_string(), message };
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let header = header(path, first)?;
    let (taken, kept) = (EventLimits::default(), KeptFacts::default());
    let mut found = Contents { header, records: Vec::new(), torn: 0, whole: first.len() as u64, taken, kept };
    for (number, line) in (2..).zip(&mut lines) {
        limits::check(path, &format!("line {number}"), line.len() as u64, limits::LINE as u64)?;
        let read = match found.header.is_sealed() && !sealed::is_whole(line, number) {
            true => Err(CHANGED.to_owned()),
            false => serde_json::from_slice::<Record>(line).map_err(|error| fields::cut(&error.to_string())),
        };
        match read {
            Ok(mut record) if line.ends_with(b"\n") => {
                reads::restore(path, &mut record.event)?;
                if let Some(facts) = record.facts.take() {
                    found.kept.restore(path, &mut record.event, facts)?;
                }
                found
                    .taken
                    .take(&record.event)
                    .map_err(|error| broken(format!("line {number}: {}", error.message())))?;
                found.records.push(record);
            }
            _ if is_torn(path, &bytes[found.whole as usize..])? => {
                found.torn = bytes.len() - found.whole as usize;
                return Ok(found);
            }
            Ok(_) => return Err(broken(format!("line {number} is incomplete"))),
            Err(error) => {
                let advice = format!("remove this line and all later lines to resume from line {number}");
                return Err(broken(format!("line {number} cannot be read: {error}\nhelp: {advice}")));
            }
        }
        found.whole += line.len() as u64;
    }
    Ok(found)
}

/// Returns whether the bytes after the last readable line are the remains of one interrupted write. A power cut can leave any
/// sectors of that write on disk. The other sectors are missing at the end, or they are zeros. A single zero inside a line is a
/// flipped bit, not a missing sector.
///
/// # Errors
/// [`Error::Journal`] if a line is too long.
fn is_torn(path: &Path, rest: &[u8]) -> Result<bool, Error> {
    for (number, line) in rest.split_inclusive(|&byte| byte == b'\n').enumerate() {
        limits::check(path, "a line that is torn", line.len() as u64, limits::LINE as u64)?;
        let has_hole = || line.starts_with(&[0]) || line.windows(2).any(|pair| pair == [0, 0]);
        let is_part = !line.ends_with(b"\n") || has_hole();
        // The line belongs to the same write as the unreadable line before it.
        let continues = || serde_json::from_slice::<Record>(line).is_ok_and(|record| record.continues);
        if !is_part && (number == 0 || !continues()) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[derive(serde::Deserialize)]
struct Version {
    journal: u32,
}
