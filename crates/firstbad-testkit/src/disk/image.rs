//! What is on a disk.

#![allow(clippy::unwrap_used, reason = "folders that a test has made for itself")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What is on a disk: folders, names and what they stand for. Names are relative to the folder that is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Image {
    pub(super) folders: BTreeSet<PathBuf>,
    pub(super) names: BTreeMap<PathBuf, usize>,
    pub(super) contents: BTreeMap<usize, Vec<u8>>,
}

impl Image {
    /// The same with all names in a folder.
    #[must_use]
    pub fn within(&self, folder: &Path) -> Image {
        Image {
            folders: self.folders.iter().map(|path| folder.join(path)).collect(),
            names: self.names.iter().map(|(path, &file)| (folder.join(path), file)).collect(),
            contents: self.contents.clone(),
        }
    }

    /// What is in a folder, by names without it.
    ///
    /// # Panics
    /// If something is elsewhere.
    #[must_use]
    pub fn without(self, folder: &Path) -> Image {
        let short = |path: &Path| path.strip_prefix(folder).unwrap().to_owned();
        Image {
            folders: self.folders.iter().map(|path| short(path)).collect(),
            names: self.names.iter().map(|(path, &file)| (short(path), file)).collect(),
            contents: self.contents,
        }
    }

    /// The names and the numbers of the files.
    #[must_use]
    pub fn names(&self) -> &BTreeMap<PathBuf, usize> {
        &self.names
    }

    /// What a folder holds: files, and folders in it.
    ///
    /// # Panics
    /// If it cannot be read.
    #[must_use]
    pub fn of(folder: &Path) -> Image {
        let mut image = Image::default();
        let mut left = vec![folder.to_owned()];
        while let Some(next) = left.pop() {
            for entry in std::fs::read_dir(&next).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(folder).unwrap().to_owned();
                if path.is_dir() {
                    image.folders.insert(name);
                    left.push(path);
                } else {
                    let number = image.names.len();
                    image.contents.insert(number, std::fs::read(&path).unwrap());
                    image.names.insert(name, number);
                }
            }
        }
        image
    }

    /// Writes it into a folder.
    ///
    /// # Panics
    /// If that fails.
    pub fn make(&self, folder: &Path) {
        self.folders.iter().for_each(|path| std::fs::create_dir(folder.join(path)).unwrap());
        for (path, file) in &self.names {
            std::fs::write(folder.join(path), self.contents.get(file).map_or(&[][..], |bytes| bytes)).unwrap();
        }
    }
}
