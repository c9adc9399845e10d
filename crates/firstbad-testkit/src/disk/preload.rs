//! What a program does to a disk, seen from below its libraries: a small C library stands between it and the system.
//!
//! The program is started with [`Preload::command`]. It runs as it does without; only that it waits for no disk.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Operation;
use crate::Failure;

/// The library, built in a folder.
#[derive(Debug)]
pub struct Preload(PathBuf);

/// Which calls that change files fail, by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Failing {
    /// None.
    #[default]
    None,
    /// These, with so many quarters of what was to be written there nevertheless.
    Some(Range<usize>, usize),
    /// The process is killed in the middle of this one.
    Killed(usize),
}

/// What a program has done in a folder.
#[derive(Debug, Default)]
pub struct Recorded {
    /// In their order.
    pub operations: Vec<Operation>,
    /// What the program itself wrote into the record (`kept 3`), each with the number of operations before it.
    pub marks: Vec<(usize, String)>,
    /// The names of what was synced, or would have been.
    pub synced: Vec<String>,
    /// How many calls there were that can fail.
    pub calls: usize,
}

impl Preload {
    /// Builds it with the C compiler of the machine, which SQLite has needed, too.
    ///
    /// # Errors
    /// [`Failure`].
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

    /// A command whose program is watched: what it does in `folder` is appended to `record`, as are lines that begin with
    /// `mark ` and that the program writes there itself.
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
    /// Reads a record of programs whose folder was empty at the beginning.
    ///
    /// # Errors
    /// [`Failure`] for a record that cannot be read.
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

    /// Takes a line and what comes after it; how many bytes of that are of it.
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
