//! The contents of a disk.

#![allow(clippy::unwrap_used, reason = "folders that a test has made for itself")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The contents of a disk: folders, names, and files. Names are relative to the recorded folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Image {
    pub(super) folders: BTreeSet<PathBuf>,
    pub(super) names: BTreeMap<PathBuf, usize>,
    pub(super) contents: BTreeMap<usize, Vec<u8>>,
}

impl Image {
    /// Returns the same contents with all names inside a folder.
    #[must_use]
    pub fn within(&self, folder: &Path) -> Image {
        Image {
            folders: self.folders.iter().map(|path| folder.join(path)).collect(),
            names: self.names.iter().map(|(path, &file)| (folder.join(path), file)).collect(),
            contents: self.contents.clone(),
        }
    }

    /// Returns the contents of a folder, with names relative to it.
    ///
    /// # Panics
    /// If a name is outside the folder.
    #[must_use]
    pub fn without(self, folder: &Path) -> Image {
        let short = |path: &Path| path.strip_prefix(folder).unwrap().to_owned();
        Image {
            folders: self.folders.iter().map(|path| short(path)).collect(),
            names: self.names.iter().map(|(path, &file)| (short(path), file)).collect(),
            contents: self.contents,
        }
    }

    /// Returns the names with the numbers of their files.
    #[must_use]
    pub fn names(&self) -> &BTreeMap<PathBuf, usize> {
        &self.names
    }

    /// Reads the contents of a folder, recursively.
    ///
    /// # Panics
    /// If the folder cannot be read.
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

    /// Writes the contents into a folder.
    ///
    /// # Panics
    /// If the contents cannot be written.
    pub fn make(&self, folder: &Path) {
        self.folders.iter().for_each(|path| std::fs::create_dir(folder.join(path)).unwrap());
        for (path, file) in &self.names {
            std::fs::write(folder.join(path), self.contents.get(file).map_or(&[][..], |bytes| bytes)).unwrap();
        }
    }
}
