//! The effect of a power cut on a sequence of operations.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::{Image, Operation};
use crate::simulated::Random;

/// The fate of data that was not synced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Loss {
    /// All of it is lost.
    #[default]
    All,
    /// None of it is lost.
    Nothing,
    /// Some of it is lost, in any order. Of a write, some sectors can be lost.
    Random(u64),
}

impl Loss {
    /// Returns [`Loss::All`], and then `random` random losses.
    pub fn some(random: u64) -> impl Iterator<Item = Loss> {
        [Loss::All].into_iter().chain((0..random).map(Loss::Random))
    }
}

/// Returns the contents of the folder `root` after these operations and a power cut. `start` are the earlier contents with names
/// in that folder. The disk writes `sector` bytes completely or not at all.
#[must_use]
pub fn power_cut(operations: &[Operation], start: &Image, root: &Path, loss: Loss, sector: usize) -> Image {
    let root = root.to_owned();
    let (image, names, contents) = (start.clone(), Vec::new(), HashMap::new());
    let mut cut = PowerCut { image, names, contents, root: root.clone(), loss, sector, draws: 0 };
    operations.iter().for_each(|operation| cut.take(operation));
    cut.end().without(&root)
}

/// The contents that are certainly on disk, and pending operations.
struct PowerCut {
    image: Image,
    /// The pending changes of names, by folder.
    names: Vec<Operation>,
    /// The pending changes of contents, by file.
    contents: HashMap<usize, Vec<Operation>>,
    root: PathBuf,
    loss: Loss,
    sector: usize,
    draws: u64,
}

impl PowerCut {
    fn take(&mut self, operation: &Operation) {
        match operation {
            Operation::Create { .. }
            | Operation::Rename { .. }
            | Operation::Remove { .. }
            | Operation::MakeFolder { .. } => {
                self.names.push(operation.clone());
            }
            Operation::Write { file, .. } | Operation::Cut { file, .. } => {
                self.contents.entry(*file).or_default().push(operation.clone());
            }
            Operation::Sync { file } => self.bring_contents(*file, Loss::Nothing),
            Operation::SyncFailed { file } => self.bring_contents(*file, self.loss),
            Operation::SyncFolder { folder } => self.bring_names(Some(folder), Loss::Nothing),
        }
    }

    fn end(mut self) -> Image {
        let loss = self.loss;
        for file in self.contents.keys().copied().collect::<BTreeSet<_>>() {
            self.bring_contents(file, loss);
        }
        self.bring_names(None, loss);
        // The contents of a lost folder are also lost.
        let Image { folders, names, contents } = &mut self.image;
        while let Some(lost) = folders
            .iter()
            .find(|path| path.parent().is_none_or(|above| above != self.root && !folders.contains(above)))
            .cloned()
        {
            folders.remove(&lost);
        }
        names.retain(|path, _| path.parent().is_some_and(|folder| folder == self.root || folders.contains(folder)));
        contents.retain(|file, _| names.values().any(|other| other == file));
        self.image
    }

    fn random(&mut self, limit: usize) -> Option<usize> {
        self.draws += 1;
        match self.loss {
            Loss::Random(seed) => {
                let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(self.draws));
                Some(random.below(limit as u64) as usize)
            }
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
                Operation::Write { at, bytes, .. } if kept => {
                    let before = self.image.contents.remove(&file).unwrap_or_default();
                    let after = self.written(before, at, &bytes, loss);
                    self.image.contents.insert(file, after);
                }
                Operation::Cut { length, .. } if kept => {
                    self.image.contents.entry(file).or_default().truncate(length);
                }
                _ => {}
            }
        }
    }

    /// Returns contents after a write of which a part can be lost. Written are all bytes, a prefix of those beyond the old end,
    /// or any sectors. Lost bytes keep their old values, or are zeros beyond the old end.
    fn written(&mut self, before: Vec<u8>, at: usize, bytes: &[u8], loss: Loss) -> Vec<u8> {
        let end = before.len().max(at + bytes.len());
        let mut after = before.clone();
        after.resize(end, 0);
        let unwritten = after.clone();
        after[at..at + bytes.len()].copy_from_slice(bytes);
        let how = if loss == Loss::Nothing { None } else { self.random(5) };
        match how {
            Some(0) if end > before.len() => {
                let length = self.random(end - before.len() + 1).unwrap_or(0);
                after.truncate(before.len() + length);
            }
            Some(1) => after = unwritten,
            Some(2) => {
                for sector in (at / self.sector)..=(end - 1) / self.sector {
                    if self.random(2) == Some(0) {
                        let range = sector * self.sector..end.min((sector + 1) * self.sector);
                        after[range.clone()].copy_from_slice(&unwritten[range]);
                    }
                }
            }
            _ => {}
        }
        after
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
