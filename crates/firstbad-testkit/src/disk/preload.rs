//! Records the disk operations of a program below its libraries, with a small C library between the program and the system.
//!
//! [`Preload::command`] starts such a program. It runs as usual but does not wait for the disk.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Operation;
use crate::Failure;

/// The library, built in a folder.
#[derive(Debug)]
pub struct Preload(PathBuf);

/// The failing calls that change files, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Failing {
    /// No calls.
    #[default]
    None,
    /// These calls, after writing the given number of quarters of their data.
    Some(Range<usize>, usize),
    /// Kills the process during this call.
    Killed(usize),
}

/// The recorded operations of a program in a folder.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The operations in order.
    pub operations: Vec<Operation>,
    /// Marks that the program wrote into the record, such as `kept 3`, with the number of operations before each.
    pub marks: Vec<(usize, String)>,
    /// The names of synced files, including failed syncs.
    pub synced: Vec<String>,
    /// The number of calls that can fail.
    pub calls: usize,
}

impl Preload {
    /// Builds the library with the C compiler that also builds SQLite.
    ///
    /// # Errors
    /// [`Failure`] if the compiler fails.
    pub fn build(folder: &Path) -> Result<Preload, Failure> {
        let (source, library) = (folder.join("preload.c"), folder.join("preload.so"));
        std::fs::write(&source, include_str!("preload.c")).map_err(|error| Failure::new("writing preload.c", error))?;
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut command = Command::new(compiler);
        let built = command.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&library).arg(&source).output();
        let built = built.map_err(|error| Failure::new("starting the C compiler", error))?;
        match built.status.success() {
            true => Ok(Preload(library)),
            false => Err(Failure::new("building preload.c", String::from_utf8_lossy(&built.stderr))),
        }
    }

    /// Returns a command whose operations in `folder` are appended to `record`. The program itself can write lines that begin
    /// with `mark ` to the record.
    #[must_use]
    pub fn command(
        &self,
        program: &Path,
        folder: &Path,
        record: &Path,
        failing: &Failing,
        skip: Option<&str>,
    ) -> Command {
        let mut command = Command::new(program);
        command.env("LD_PRELOAD", &self.0).env("FIRSTBAD_DISK_FOLDER", folder).env("FIRSTBAD_DISK_RECORD", record);
        match failing {
            Failing::None => {}
            Failing::Some(calls, quarters) => {
                command.env("FIRSTBAD_DISK_FAIL", format!("{} {} {quarters}", calls.start, calls.end));
            }
            Failing::Killed(call) => {
                command.env("FIRSTBAD_DISK_KILL", call.to_string());
            }
        }
        if let Some(name) = skip {
            command.env("FIRSTBAD_DISK_SKIP", name);
        }
        command
    }
}

impl Recorded {
    /// Reads the record of programs whose folder was initially empty.
    ///
    /// # Errors
    /// [`Failure`] if the record cannot be read.
    pub fn read(record: &Path) -> Result<Recorded, Failure> {
        let bytes = std::fs::read(record).map_err(|error| Failure::new("reading the record", error))?;
        let mut read = Recorded::default();
        let mut numbers = HashMap::new();
        let mut rest = &bytes[..];
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let line = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            let taken = read.take(&line, rest, &mut numbers);
            rest = &rest[taken.ok_or_else(|| Failure::new("reading the record", format!("{line:?}")))?..];
        }
        Ok(read)
    }

    /// Parses a line and its data. Returns the length of the data.
    fn take(&mut self, line: &str, rest: &[u8], numbers: &mut HashMap<u64, usize>) -> Option<usize> {
        let (kind, line) = line.split_once(' ')?;
        let known = |word: &str| Some(*numbers.get(&word.parse().ok()?)?);
        let mut bytes_taken = 0;
        let operation = match kind {
            "create" => {
                let (number, path) = line.split_once(' ')?;
                let file = self.operations.len();
                numbers.insert(number.parse().ok()?, file);
                Operation::Create { path: path.into(), file }
            }
            "write" => {
                let mut words = line.split(' ');
                let file = known(words.next()?)?;
                let at = words.next()?.parse().ok()?;
                bytes_taken = words.next()?.parse().ok()?;
                Operation::Write { file, at, bytes: rest.get(..bytes_taken)?.to_vec() }
            }
            "cut" => {
                let (number, length) = line.split_once(' ')?;
                Operation::Cut { file: known(number)?, length: length.parse().ok()? }
            }
            "sync" => Operation::Sync { file: known(line)? },
            "sync-failed" => Operation::SyncFailed { file: known(line)? },
            "sync-folder" => Operation::SyncFolder { folder: line.into() },
            "remove" => Operation::Remove { path: line.into() },
            "rename" => {
                let (number, names) = line.split_once(' ')?;
                let (from, to) = names.split_once('\t')?;
                Operation::Rename { from: from.into(), to: to.into(), file: known(number)? }
            }
            "folder" => Operation::MakeFolder { path: line.into() },
            "mark" => {
                self.marks.push((self.operations.len(), line.to_owned()));
                return Some(0);
            }
            "synced" => {
                self.synced.push(line.to_owned());
                return Some(0);
            }
            "calls" => {
                self.calls = line.parse().ok()?;
                return Some(0);
            }
            _ => return None,
        };
        self.operations.push(operation);
        Some(bytes_taken)
    }
}
