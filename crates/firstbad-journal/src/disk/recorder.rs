//! A simulated disk that fails on request and records what a power cut preserves.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{Error, Result};
use std::ops::Range;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use firstbad_testkit::disk::{Image, Loss, Operation, power_cut};
use rustix::io::Errno;

use super::{Disk, ThisMachine};

/// Smaller than real sectors, because the tests write little data.
const SECTOR: usize = 32;

/// The data that a caller believes to be on disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Promise {
    pub(super) events: usize,
    pub(super) has_test: bool,
}

/// The calls that fail, by number.
#[derive(Debug, Clone, Default)]
pub(super) enum Failing {
    #[default]
    None,
    /// These calls, after writing the given number of quarters of their data.
    Some(Range<usize>, usize),
    /// All calls from this one, as if the process had been killed while the system continues.
    Killed(usize),
}

#[derive(Debug, Default)]
struct State {
    root: PathBuf,
    files: HashMap<u64, usize>,
    names: BTreeMap<PathBuf, usize>,
    start: Image,
    done: Vec<Operation>,
    /// The promised data, with the number of calls before each promise.
    promised: Vec<(usize, Promise)>,
    calls: usize,
    failing: Failing,
    /// The moment of the first failure.
    failed: Option<usize>,
    /// The name of a file whose syncs return success without any effect.
    idle: Option<String>,
    /// The names of synced files.
    synced: BTreeSet<String>,
}

/// Executes calls in a folder without waiting, and records them.
#[derive(Debug)]
pub(super) struct Recorder(Mutex<State>);

impl Recorder {
    /// Creates a disk whose current contents survive any power cut.
    pub(super) fn over(start: &Image, folder: &Path) -> Recorder {
        let start = start.within(folder);
        let names = start.names().clone();
        let number = |path: &Path| std::fs::metadata(path).unwrap().ino();
        let files = names.iter().map(|(path, &file)| (number(path), file)).collect();
        Recorder(Mutex::new(State { root: folder.to_owned(), files, names, start, ..State::default() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub(super) fn fail(&self, failing: Failing) {
        self.state().failing = failing;
    }

    /// Skips syncs of this name from now on. See [`Recorder::synced`].
    pub(super) fn skip_syncs(&self, name: &str) {
        self.state().idle = Some(name.to_owned());
    }

    /// Returns the names of synced files, and of synced folders with a trailing slash.
    pub(super) fn synced(&self) -> BTreeSet<String> {
        self.state().synced.clone()
    }

    pub(super) fn promise(&self, promise: Promise) {
        let mut state = self.state();
        let moment = state.done.len();
        state.promised.push((moment, promise));
    }

    /// Returns the number of calls.
    pub(super) fn calls(&self) -> usize {
        self.state().calls
    }

    /// Returns the number of moments at which the power can be cut.
    pub(super) fn moments(&self) -> usize {
        self.state().done.len() + 1
    }

    /// Returns the moment of the first failure.
    pub(super) fn failed(&self) -> usize {
        self.state().failed.unwrap()
    }

    /// Returns the contents of the disk after a power cut, and the last promise before it.
    pub(super) fn power_cut(&self, moment: usize, loss: Loss) -> (Image, Option<Promise>) {
        let state = self.state();
        let left = power_cut(&state.done[..moment], &state.start, &state.root, loss, SECTOR);
        (left, state.promised.iter().rev().find(|(done, _)| *done <= moment).map(|(_, promise)| *promise))
    }

    /// Counts a call. Returns an error with the number of completed quarters if the call must fail.
    fn call(&self, error: Errno) -> std::result::Result<(), (Error, usize)> {
        let mut state = self.state();
        let number = state.calls;
        state.calls += 1;
        let quarters = match &state.failing {
            Failing::Some(calls, quarters) if calls.contains(&number) => *quarters,
            Failing::Killed(from) if number >= *from => 2 * usize::from(number == *from),
            _ => return Ok(()),
        };
        let moment = state.done.len();
        state.failed.get_or_insert(moment);
        Err((error.into(), quarters))
    }

    fn number(&self, file: &File) -> usize {
        self.state().files[&file.metadata().unwrap().ino()]
    }

    fn did(&self, operation: Operation) {
        self.state().done.push(operation);
    }

    fn is_skipped(&self, name: String) -> bool {
        let mut state = self.state();
        let skipped = state.idle.as_ref() == Some(&name);
        state.synced.insert(name);
        skipped
    }
}

/// Returns the last part of a path, or a fixed name for files named by a digest.
fn short(path: &Path) -> String {
    let name = path.file_name().unwrap().to_string_lossy();
    if name.len() >= 64 { "content".to_owned() } else { name.into_owned() }
}

impl Disk for Recorder {
    fn create(&self, path: &Path) -> Result<File> {
        self.call(Errno::NOSPC).map_err(|(error, _)| error)?;
        let file = ThisMachine.create(path)?;
        let mut state = self.state();
        let number = 1000 + state.done.len();
        state.files.insert(file.metadata()?.ino(), number);
        state.names.insert(path.to_owned(), number);
        state.done.push(Operation::Create { path: path.to_owned(), file: number });
        Ok(file)
    }

    fn open(&self, path: &Path) -> Result<File> {
        self.call(Errno::IO).map_err(|(error, _)| error)?;
        ThisMachine.open(path)
    }

    fn append(&self, file: &File, bytes: &[u8]) -> Result<()> {
        let failed = self.call(Errno::NOSPC).err();
        let length = failed.as_ref().map_or(bytes.len(), |(_, quarters)| bytes.len() * quarters / 4);
        let (number, at) = (self.number(file), file.metadata()?.len() as usize);
        ThisMachine.append(file, &bytes[..length])?;
        self.did(Operation::Write { file: number, at, bytes: bytes[..length].to_vec() });
        failed.map_or(Ok(()), |(error, _)| Err(error))
    }

    fn cut(&self, file: &File, length: u64) -> Result<()> {
        self.call(Errno::IO).map_err(|(error, _)| error)?;
        ThisMachine.cut(file, length)?;
        self.did(Operation::Cut { file: self.number(file), length: length as usize });
        Ok(())
    }

    fn sync(&self, file: &File) -> Result<()> {
        let number = self.number(file);
        if let Err((error, _)) = self.call(Errno::IO) {
            if !matches!(self.state().failing, Failing::Killed(_)) {
                self.did(Operation::SyncFailed { file: number });
            }
            return Err(error);
        }
        let name = |state: &State| state.names.iter().find(|&(_, &other)| other == number).map(|(path, _)| short(path));
        let name = name(&self.state()).unwrap();
        if !self.is_skipped(name) {
            self.did(Operation::Sync { file: number });
        }
        Ok(())
    }

    fn sync_folder(&self, folder: &Path) -> Result<()> {
        self.call(Errno::IO).map_err(|(error, _)| error)?;
        assert!(folder.is_dir());
        if !self.is_skipped(format!("{}/", short(folder))) {
            self.did(Operation::SyncFolder { folder: folder.to_owned() });
        }
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.call(Errno::NOSPC).map_err(|(error, _)| error)?;
        ThisMachine.rename(from, to)?;
        let mut state = self.state();
        let file = state.names.remove(from).unwrap();
        state.names.insert(to.to_owned(), file);
        state.done.push(Operation::Rename { from: from.to_owned(), to: to.to_owned(), file });
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<()> {
        self.call(Errno::IO).map_err(|(error, _)| error)?;
        ThisMachine.remove(path)?;
        self.state().names.remove(path);
        self.did(Operation::Remove { path: path.to_owned() });
        Ok(())
    }

    fn make_folder(&self, path: &Path) -> Result<()> {
        self.call(Errno::NOSPC).map_err(|(error, _)| error)?;
        if !path.is_dir() {
            ThisMachine.make_folder(path)?;
            self.did(Operation::MakeFolder { path: path.to_owned() });
        }
        Ok(())
    }
}
