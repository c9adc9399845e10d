//! A disk that fails when it is told to, and that knows what of it outlives a power cut.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{Error, Result};
use std::ops::Range;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use rustix::io::Errno;

use super::{Disk, ThisMachine};

/// Random numbers, the same every time.
#[derive(Debug)]
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }
}

/// What was done. Files have numbers: a name may stand for one file after the other.
#[derive(Debug, Clone)]
enum Operation {
    Create {
        path: PathBuf,
        file: usize,
    },
    Append {
        file: usize,
        at: usize,
        bytes: Vec<u8>,
    },
    Cut {
        file: usize,
        length: usize,
    },
    Sync {
        file: usize,
    },
    /// What was not on the disk may have come there or not, and the system takes it for written.
    SyncFailed {
        file: usize,
    },
    SyncFolder {
        folder: PathBuf,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
        file: usize,
    },
    Remove {
        path: PathBuf,
    },
    MakeFolder {
        path: PathBuf,
    },
    /// A call has returned: this must outlive whatever comes.
    Promised(Promise),
}

/// What a caller was told to be on the disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Promise {
    pub(super) events: usize,
    pub(super) has_test: bool,
}

/// Which calls fail, by their numbers.
#[derive(Debug, Clone, Default)]
pub(super) enum Failing {
    #[default]
    None,
    /// These, with so many quarters of what was to be written there nevertheless.
    Some(Range<usize>, usize),
    /// All from one on: the process was killed in the middle of it, and the system goes on.
    Killed(usize),
}

#[derive(Debug, Default)]
struct State {
    root: PathBuf,
    files: HashMap<u64, usize>,
    names: BTreeMap<PathBuf, usize>,
    start: Image,
    done: Vec<Operation>,
    calls: usize,
    failing: Failing,
    /// The moment of the first failure.
    failed: Option<usize>,
    /// Syncs of files of this name say that they were done, and are not.
    idle: Option<String>,
    /// What was synced, by name.
    synced: BTreeSet<String>,
}

/// Does what it is told in a folder, but for the waiting, and keeps a record of it.
#[derive(Debug)]
pub(super) struct Recorder(Mutex<State>);

impl Recorder {
    /// The disk as it is now is what a power cut leaves at least.
    pub(super) fn over(start: &Image, folder: &Path) -> Recorder {
        let names: BTreeMap<_, _> = start.names.iter().map(|(path, &file)| (folder.join(path), file)).collect();
        let number = |path: &Path| std::fs::metadata(path).unwrap().ino();
        let files = names.iter().map(|(path, &file)| (number(path), file)).collect();
        let start = start.within(folder);
        Recorder(Mutex::new(State { root: folder.to_owned(), files, names, start, ..State::default() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub(super) fn fail(&self, failing: Failing) {
        self.state().failing = failing;
    }

    /// Syncs of this name are skipped from here on; see [`Recorder::synced`].
    pub(super) fn skip_syncs(&self, name: &str) {
        self.state().idle = Some(name.to_owned());
    }

    /// What was synced: the names of files, and of folders with a slash at their end.
    pub(super) fn synced(&self) -> BTreeSet<String> {
        self.state().synced.clone()
    }

    pub(super) fn promise(&self, promise: Promise) {
        self.state().done.push(Operation::Promised(promise));
    }

    /// How many calls there were.
    pub(super) fn calls(&self) -> usize {
        self.state().calls
    }

    /// How many moments there are at which the power may be cut.
    pub(super) fn moments(&self) -> usize {
        self.state().done.len() + 1
    }

    /// The moment at which the first call failed.
    pub(super) fn failed(&self) -> usize {
        self.state().failed.unwrap()
    }

    /// What is on the disk after a power cut at a moment, and what was promised until then.
    pub(super) fn power_cut(&self, moment: usize, loss: Loss) -> (Image, Option<Promise>) {
        let state = self.state();
        let mut cut = Cut { image: state.start.clone(), root: state.root.clone(), loss, ..Cut::default() };
        state.done[..moment].iter().for_each(|operation| cut.take(operation));
        (cut.end().without(&state.root), state.done[..moment].iter().rev().find_map(promised))
    }

    /// Counts a call; whether it is to fail, and with how many quarters done.
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

fn promised(operation: &Operation) -> Option<Promise> {
    if let Operation::Promised(promise) = operation { Some(*promise) } else { None }
}

/// The last part of a path; what is named by a digest has no name of its own.
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
        self.did(Operation::Append { file: number, at, bytes: bytes[..length].to_vec() });
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

/// What becomes of that which no sync has brought to the disk.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum Loss {
    /// It is lost.
    #[default]
    All,
    /// It is there nevertheless.
    Nothing,
    /// Some of it is there, in any order; of what was written perhaps a part, perhaps zeros.
    Random(u64),
}

/// What is on a disk: folders, names and what they stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Image {
    folders: BTreeSet<PathBuf>,
    names: BTreeMap<PathBuf, usize>,
    contents: BTreeMap<usize, Vec<u8>>,
}

impl Image {
    /// The same with all names in a folder.
    fn within(&self, folder: &Path) -> Image {
        Image {
            folders: self.folders.iter().map(|path| folder.join(path)).collect(),
            names: self.names.iter().map(|(path, &file)| (folder.join(path), file)).collect(),
            contents: self.contents.clone(),
        }
    }

    /// What is in a folder, by names without it.
    fn without(self, folder: &Path) -> Image {
        let short = |path: &Path| path.strip_prefix(folder).unwrap().to_owned();
        Image {
            folders: self.folders.iter().map(|path| short(path)).collect(),
            names: self.names.iter().map(|(path, &file)| (short(path), file)).collect(),
            contents: self.contents,
        }
    }

    /// Writes it into a folder.
    pub(super) fn make(&self, folder: &Path) {
        self.folders.iter().for_each(|path| std::fs::create_dir(folder.join(path)).unwrap());
        for (path, file) in &self.names {
            std::fs::write(folder.join(path), self.contents.get(file).map_or(&[][..], |bytes| bytes)).unwrap();
        }
    }
}

/// What is on the disk for sure, and what may be.
#[derive(Debug, Default)]
struct Cut {
    image: Image,
    /// Changes of names, in their folders.
    names: Vec<Operation>,
    /// Changes of contents, by files.
    contents: HashMap<usize, Vec<Operation>>,
    root: PathBuf,
    loss: Loss,
    draws: u64,
}

impl Cut {
    fn take(&mut self, operation: &Operation) {
        match operation {
            Operation::Create { .. }
            | Operation::Rename { .. }
            | Operation::Remove { .. }
            | Operation::MakeFolder { .. } => {
                self.names.push(operation.clone());
            }
            Operation::Append { file, .. } | Operation::Cut { file, .. } => {
                self.contents.entry(*file).or_default().push(operation.clone());
            }
            Operation::Sync { file } => self.bring_contents(*file, Loss::Nothing),
            Operation::SyncFailed { file } => self.bring_contents(*file, self.loss),
            Operation::SyncFolder { folder } => self.bring_names(Some(folder), Loss::Nothing),
            Operation::Promised(_) => {}
        }
    }

    fn end(mut self) -> Image {
        let loss = self.loss;
        for file in self.contents.keys().copied().collect::<BTreeSet<_>>() {
            self.bring_contents(file, loss);
        }
        self.bring_names(None, loss);
        // What was in a folder that is lost is lost.
        let Image { folders, names, contents } = &mut self.image;
        names.retain(|path, _| path.parent().is_some_and(|folder| folder == self.root || folders.contains(folder)));
        contents.retain(|file, _| names.values().any(|other| other == file));
        self.image
    }

    fn random(&mut self, limit: usize) -> Option<usize> {
        self.draws += 1;
        match self.loss {
            Loss::Random(seed) => Some(Random(seed.wrapping_mul(1_000_003).wrapping_add(self.draws)).below(limit)),
            Loss::All | Loss::Nothing => None,
        }
    }

    fn bring_contents(&mut self, file: usize, loss: Loss) {
        for operation in self.contents.remove(&file).unwrap_or_default() {
            let kept = match loss {
                Loss::Nothing => true,
                Loss::All => false,
                Loss::Random(_) => self.random(3) != Some(0),
            };
            match operation {
                Operation::Append { at, mut bytes, .. } if kept => {
                    if loss != Loss::Nothing {
                        self.tear(&mut bytes);
                    }
                    let content = self.image.contents.entry(file).or_default();
                    let end = content.len().max(at + bytes.len());
                    content.resize(end, 0);
                    content[at..at + bytes.len()].copy_from_slice(&bytes);
                }
                Operation::Cut { length, .. } if kept => {
                    self.image.contents.entry(file).or_default().truncate(length);
                }
                _ => {}
            }
        }
    }

    /// Whole, a first part of it, zeros, or with holes: sectors come to the disk in any order.
    fn tear(&mut self, bytes: &mut Vec<u8>) {
        match self.random(5) {
            Some(0) => {
                let length = self.random(bytes.len() + 1).unwrap_or(0);
                bytes.truncate(length);
            }
            Some(1) => bytes.fill(0),
            Some(2) => {
                // Smaller than any disk has them, for what is written here is small.
                for sector in bytes.chunks_mut(32) {
                    if self.random(2) == Some(0) {
                        sector.fill(0);
                    }
                }
            }
            _ => {}
        }
    }

    fn bring_names(&mut self, folder: Option<&Path>, loss: Loss) {
        let here = |operation: &Operation| match operation {
            Operation::Create { path, .. } | Operation::Remove { path } | Operation::MakeFolder { path } => {
                folder.is_none_or(|folder| path.parent() == Some(folder))
            }
            Operation::Rename { to, .. } => folder.is_none_or(|folder| to.parent() == Some(folder)),
            _ => false,
        };
        let (now, later) = std::mem::take(&mut self.names).into_iter().partition(here);
        self.names = later;
        for operation in now {
            let kept = match loss {
                Loss::Nothing => true,
                Loss::All => false,
                Loss::Random(_) => self.random(2) == Some(1),
            };
            match operation {
                Operation::Create { path, file } if kept => {
                    self.image.names.insert(path, file);
                }
                Operation::Remove { path } if kept => {
                    self.image.names.remove(&path);
                }
                Operation::Rename { from, to, file } if kept => {
                    self.image.names.remove(&from);
                    self.image.names.insert(to, file);
                }
                Operation::MakeFolder { path } if kept => {
                    self.image.folders.insert(path);
                }
                _ => {}
            }
        }
    }
}
